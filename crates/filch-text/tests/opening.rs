//! Files of all kinds are opened, or refused with what they are.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use filch_text::{Compression, FileError, Foreign, Source, TextFault, read_text};

const TEXT: &str = "0 1\n1 2\n";

const MOST: u64 = 1 << 20;

/// What `bzip2` and `xz` make of the text.
const BZIP2: &[u8] =
    b"BZh91AY&SY\xff\xa0A\x00\x00\x00\x02X\x00\x00\x10@\x00p\x00 \x00\"\x1e\x8d\x06h\x15*\x18]\xc9\x14\
\xe1BC\xfe\x81\x04\x00";
const XZ: &[u8] = b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x16\x00\x00\x00t/\xe5\xa3\x01\x00\x070 1\n1 2\n\x00\
\xa7@\x85\x06\xe0\x84\xaa4\x00\x01 \x08\xbb\x19\xd9\xbb\x1f\xb6\xf3}\x01\x00\x00\x00\x00\x04YZ";

/// A tar archive with one file, compressed by gzip.
const TAR_GZ: &[u8] = include_bytes!("data/tar.gz");

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn text(&self, bytes: &[u8]) -> Result<String, FileError> {
        read_text(&self.file(bytes), MOST)
    }

    /// What is said of a file with these bytes, behind its name.
    fn refusal(&self, bytes: &[u8]) -> String {
        let path = self.file(bytes);
        let message = read_text(&path, MOST).unwrap_err().to_string();
        message.strip_prefix(path.to_str().unwrap()).unwrap().to_owned()
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).unwrap()
}

/// The text in each compression that this build reads.
fn compressed() -> Vec<(Compression, Vec<u8>)> {
    let all = [
        (Compression::Gzip, gzip(TEXT.as_bytes())),
        (Compression::Zstd, zstd(TEXT.as_bytes())),
        (Compression::Bzip2, BZIP2.to_vec()),
        (Compression::Xz, XZ.to_vec()),
    ];
    all.into_iter().filter(|(compression, _)| compression.is_readable()).collect()
}

#[test]
fn a_text_is_the_same_whatever_it_is_compressed_by() {
    let folder = Folder::new();
    assert_eq!(folder.text(TEXT.as_bytes()).unwrap(), TEXT);
    for (compression, bytes) in compressed() {
        assert_eq!(folder.text(&bytes).unwrap(), TEXT, "{compression}");
    }
}

#[test]
fn parts_and_the_zeros_between_and_behind_them_are_one_text() {
    let folder = Folder::new();
    for (compression, bytes) in compressed() {
        for zeros in [0, 1, 4, 511, 512, 300_000] {
            let padded = [&bytes[..], &vec![0; zeros], &bytes, &vec![0; zeros]].concat();
            assert_eq!(folder.text(&padded).unwrap(), TEXT.repeat(2), "{compression}, {zeros} zeros");
        }
    }
    // Empty members, and a skippable frame of zstd.
    let empty = [gzip(b""), gzip(b""), gzip(b"a\n"), gzip(b"")].concat();
    assert_eq!(folder.text(&empty).unwrap(), "a\n");
    let skippable = [&b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"[..], &zstd(b"a\n")].concat();
    assert_eq!(folder.text(&skippable).unwrap(), "a\n");
}

#[test]
fn what_follows_the_last_part_is_named() {
    let folder = Folder::new();
    for (compression, bytes) in compressed() {
        for rest in [&b"garbage"[..], b"\0\0garbage", b"g"] {
            let text = folder.text(&[&bytes, rest].concat());
            let Err(FileError::Trailing { compression: found, line: 2, .. }) = text else {
                panic!("{compression}: {text:?}")
            };
            assert_eq!(found, compression);
        }
    }
    assert_eq!(
        folder.refusal(&[gzip(TEXT.as_bytes()), b"garbage and more".to_vec()].concat()),
        ": data after the end of the compressed part: expected more gzip data or the end of the file after line 2 of \
         the decompressed text, found \"garbage an\""
    );
    let other = [gzip(TEXT.as_bytes()), zstd(TEXT.as_bytes())].concat();
    assert!(matches!(folder.text(&other), Err(FileError::Trailing { compression: Compression::Gzip, .. })));
}

#[test]
fn a_compressed_file_cut_anywhere_behind_its_mark_ends_early() {
    let folder = Folder::new();
    for (compression, bytes) in compressed() {
        for len in 10..bytes.len() {
            let found = folder.text(&bytes[..len]);
            assert!(matches!(found, Err(FileError::Truncated { .. })), "{compression}, {len} bytes: {found:?}");
        }
        // The second part is cut.
        let two = [&bytes[..], &bytes[..bytes.len() - 1]].concat();
        let found = folder.text(&two);
        assert!(matches!(found, Err(FileError::Truncated { .. })), "{compression}: {found:?}");
    }
}

#[test]
fn damaged_bytes_never_give_another_text_or_a_panic() {
    let folder = Folder::new();
    for (compression, bytes) in compressed().into_iter().filter(|(compression, _)| *compression != Compression::Zstd) {
        for (place, bit) in (0..bytes.len()).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            if let Ok(text) = folder.text(&damaged) {
                // The header of gzip has bits that do not matter; without its mark a file is not decompressed.
                let is_raw = text.len() == damaged.len();
                assert!(text == TEXT || is_raw, "{compression}, bit {bit} of byte {place}: {text:?}");
            }
        }
    }
}

#[test]
fn archives_and_foreign_compressions_are_refused_by_name_with_what_to_do() {
    let folder = Folder::new();
    let mut tar = Vec::new();
    flate2::read::GzDecoder::new(TAR_GZ).read_to_end(&mut tar).unwrap();
    let unpack = "a tar archive: unpack it with tar -xf, and name one of its files";
    assert_eq!(folder.refusal(&tar), format!(": {unpack}"));
    assert_eq!(folder.refusal(TAR_GZ), format!(": within gzip, {unpack}"));
    assert_eq!(folder.refusal(&zstd(&tar)), format!(": within zstd, {unpack}"));
    // Before POSIX.1-1988, the header had no mark, but the same sum.
    let mut old = tar.clone();
    let mark: u32 = old[257..265].iter().map(|&byte| u32::from(byte)).sum();
    let sum = u32::from_str_radix(str::from_utf8(&old[148..154]).unwrap(), 8).unwrap();
    old[257..265].fill(0);
    old[148..154].copy_from_slice(format!("{:06o}", sum - mark).as_bytes());
    assert_eq!(folder.refusal(&old), format!(": {unpack}"));

    let of = |bytes: &[u8]| match folder.text(bytes) {
        Err(FileError::Foreign { what, within, .. }) => (what, within),
        other => panic!("{bytes:?}: {other:?}"),
    };
    for (bytes, what) in [
        (&b"PK\x03\x04\x14\0\0\0"[..], Foreign::Zip),
        (b"PK\x05\x06\0\0\0\0", Foreign::Zip),
        (b"7z\xbc\xaf\x27\x1c\0\x04", Foreign::SevenZip),
        (b"Rar!\x1a\x07\0", Foreign::Rar),
        (b"Rar!\x1a\x07\x01\0", Foreign::Rar),
        (b"\x1f\x9d\x90\x30", Foreign::Compress),
        (b"LZIP\x01\x0c", Foreign::Lzip),
        (b"\x04\x22\x4d\x18\x64\x40\xa7", Foreign::Lz4),
        (b"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0", Foreign::Lzma),
    ] {
        assert_eq!(of(bytes), (what, None));
        assert_eq!(of(&gzip(bytes)), (what, Some(Compression::Gzip)));
    }
    assert_eq!(of(&gzip(&zstd(b"a"))), (Foreign::Again(Compression::Zstd), Some(Compression::Gzip)));
    for (compression, bytes) in [(Compression::Bzip2, BZIP2), (Compression::Xz, XZ)] {
        if !compression.is_readable() {
            assert_eq!(of(bytes), (Foreign::NotBuilt(compression), None));
        }
    }
    // These are texts.
    for text in ["BZh9 1 2\n", "PK 1\n", "Rar!\n", "LZIP\n", "7zXZ\n", "]\n"] {
        assert_eq!(folder.text(text.as_bytes()).unwrap(), text);
    }
}

#[test]
fn a_text_is_in_utf_8_with_at_most_one_mark_at_its_beginning() {
    let folder = Folder::new();
    let marked = "\u{feff}a\r\nb";
    assert_eq!(folder.text(marked.as_bytes()).unwrap(), "a\r\nb");
    assert_eq!(folder.text(&gzip(marked.as_bytes())).unwrap(), "a\r\nb");
    assert_eq!(folder.text(b"").unwrap(), "");
    for (bytes, line, column, fault) in [
        (&b"a\nb\xffc"[..], 2, 2, TextFault::NotText { byte: 0xff }),
        (b"\xef\xbb\xbfab\xff", 1, 3, TextFault::NotText { byte: 0xff }),
        (b"a\n\nb\0", 3, 2, TextFault::NotText { byte: 0 }),
        (b"\xef\xbb\xbf\xef\xbb\xbfa", 1, 1, TextFault::Mark),
        (b"a\n\xef\xbb\xbfb", 2, 1, TextFault::Mark),
        (b"a\rb\r", 1, 2, TextFault::LoneReturn),
        (b"\xff\xfea\0", 1, 1, TextFault::Utf16),
        (b"\xfe\xff\0a", 1, 1, TextFault::Utf16),
    ] {
        match folder.text(bytes) {
            Err(FileError::Text { line: l, column: c, fault: f, .. }) => assert_eq!((l, c, f), (line, column, fault)),
            other => panic!("{bytes:?}: {other:?}"),
        }
    }
}

#[test]
fn a_text_of_the_largest_size_is_read_and_a_larger_one_is_not() {
    let folder = Folder::new();
    let path = folder.file(&[b'a'; 1000]);
    assert_eq!(read_text(&path, 1000).unwrap().len(), 1000);
    assert!(matches!(read_text(&path, 999), Err(FileError::TooLarge { most: 999, .. })));
    let bomb = folder.file(&gzip(&vec![b'a'; 10 << 20]));
    let message = read_text(&bomb, MOST).unwrap_err().to_string();
    assert_eq!(message, format!("{}: expected at most 1 MiB, found more", bomb.display()));
    if cfg!(target_os = "linux") {
        assert!(matches!(read_text(Path::new("/dev/zero"), MOST), Err(FileError::TooLarge { .. })));
    }
}

#[test]
fn bytes_that_were_looked_at_are_read_again_whatever_the_file_is() {
    let folder = Folder::new();
    let text: Vec<u8> = (0..300_000_u32).map(|place| b'a' + (place % 26) as u8).collect();
    for bytes in [text.clone(), gzip(&text), zstd(&text)] {
        let path = folder.file(&bytes);
        for len in [0, 1, 511, 70_000, 400_000] {
            let mut source = Source::open(&path).unwrap();
            assert_eq!(source.peek(len), text[..len.min(text.len())]);
            assert_eq!(source.peek(7), text[..7]);
            let mut read = Vec::new();
            source.into_stream().unwrap().read_to_end(&mut read).unwrap();
            assert!(read == text);
        }
    }
}

/// Names of files are bytes on Unix.
#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_not_utf_8_is_read() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let path = folder.0.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt"));
    std::fs::write(&path, TEXT).unwrap();
    assert_eq!(read_text(&path, MOST).unwrap(), TEXT);
}
