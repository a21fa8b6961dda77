use super::*;

const SQUARE: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, -2e-3]];
const HALVES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

const TEXTS: [&str; 5] = [
    "pbbs_triangles\n4\n2\n0 0 0\n1 0 0\n1 1 0.5\n0 1 -2e-3\n1 2 3\n1 3 4\n",
    "# made by hand\nOFF 4 1 0\n\n0 0 0\r\n1 0 0 255 0 0\n1 1 .5 # a comment\n0 1 -2e-3\n4 0 1 2 3 0.5 0.5 0.5\n",
    "mtllib a.mtl\no square\nv 0 0 0 1\nvt 0 0\nv 1 0 0\nf 1/1/1 -1//1 3/1 4\nv 1 1 0.5\nv 0 1 -0.002\n",
    "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty uchar red\nproperty double y\n\
     property float z\nelement face 1\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int a\n\
     end_header\n0 9 0 0\n1 9 0 0\n1 9 1 0.5\n0 9 1 -0.002\n4 0 1 2 3\n-7\n",
    "ply\nformat ascii 1.0\nelement face 2\nproperty list int uint vertex_index\nproperty list uchar float q\n\
     element vertex 4\nproperty float y\nproperty float x\nproperty float z\nelement none 9999999999999\n\
     end_header\n3 0 1 2 0\n3 0 2 3 2 5 5\n0 0 0\n0 1 0\n1 1 0.5\n1 0 -0.002\n",
];

/// A file of the same mesh, except that numbers are as exact as 32 bits.
fn binary_ply(is_big_endian: bool) -> Vec<u8> {
    let order = if is_big_endian { "big" } else { "little" };
    let header = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty float x\nproperty double y\n\
         property short n\nproperty float z\nelement face 1\nproperty list uchar uint vertex_indices\nend_header\n"
    );
    let mut file = header.into_bytes();
    let mut put = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        if is_big_endian {
            bytes.reverse();
        }
        file.extend(bytes);
    };
    for [x, y, z] in SQUARE {
        put(&(x as f32).to_le_bytes());
        put(&y.to_le_bytes());
        put(&(-3_i16).to_le_bytes());
        put(&(z as f32).to_le_bytes());
    }
    put(&[4]);
    (0..4_u32).for_each(|corner| put(&corner.to_le_bytes()));
    file
}

fn read(bytes: &[u8]) -> Result<Raw, String> {
    raw(bytes, Path::new("mesh")).map_err(|error| error.to_string())
}

fn assert_fails(text: &str, expected: &str) {
    assert_eq!(read(text.as_bytes()).unwrap_err(), expected, "{text}");
}

#[test]
fn a_square_is_two_triangles_in_all_formats() {
    for text in TEXTS {
        let mesh = read(text.as_bytes()).unwrap();
        assert_eq!((mesh.vertices, mesh.triangles), (SQUARE.to_vec(), HALVES.to_vec()), "{text}");
        let marked = format!("\u{feff}{text}");
        assert_eq!(read(marked.as_bytes()).unwrap().triangles, HALVES);
    }
    for is_big_endian in [false, true] {
        let mesh = read(&binary_ply(is_big_endian)).unwrap();
        let rounded = SQUARE.map(|[x, y, z]| [x, y, f64::from(z as f32)]);
        assert_eq!((mesh.vertices, mesh.triangles), (rounded.to_vec(), HALVES.to_vec()));
    }
}

#[test]
fn a_file_that_ends_early_is_refused_or_has_corners_among_its_vertices() {
    let files = TEXTS.iter().map(|text| text.as_bytes().to_vec()).chain([false, true].map(binary_ply));
    for file in files {
        let is_binary = file.windows(7).any(|word| word == b"binary_");
        for end in 0..file.len() {
            match read(&file[..end]) {
                Err(error) => assert!(error.contains(": expected "), "{error}"),
                // The last number may be shorter, or the last newline is missing.
                Ok(mesh) => {
                    let count = mesh.vertices.len() as u32;
                    assert!(!is_binary && mesh.triangles.iter().flatten().all(|&corner| corner < count));
                }
            }
        }
        let longer = [&file[..], b" 1"].concat();
        assert!(read(&longer).is_err(), "something follows: {}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn a_byte_that_is_changed_leads_to_a_mesh_or_an_error() {
    let mut random = fastrand::Rng::with_seed(1);
    let files = TEXTS.iter().map(|text| text.as_bytes().to_vec()).chain([false, true].map(binary_ply));
    for file in files {
        for _ in 0..2000 {
            let mut file = file.clone();
            let place = random.usize(..file.len());
            file[place] = if random.bool() { random.u8(..) } else { random.u8(b'!'..b'~') };
            if let Ok(Raw { vertices, triangles }) = read(&file) {
                assert!(Mesh::new(vertices, triangles).is_ok());
            }
        }
    }
}

#[test]
fn errors_name_the_place_and_what_is_expected_and_found() {
    let vertex = "a finite coordinate";
    assert_fails("pbbs_triangles\n1\n0\n0 0 inf\n", &format!("mesh:4:5: expected {vertex}, found \"inf\""));
    assert_fails("pbbs_triangles\n1\n0\n0 0\n", &format!("mesh:4:4: expected {vertex}, found the end of the line"));
    assert_fails("pbbs_triangles\n1\n0\n", "mesh:4:1: expected a vertex, found the end of the file");
    assert_fails("pbbs_triangles\n-1\n", "mesh:2:1: expected the number of vertices, found \"-1\"");
    assert_fails("pbbs_triangles\n1\n1\n0 0 0\n1 1 0\n", "mesh:5:5: expected a vertex from 1 to 1, found \"0\"");
    assert_fails("OFF\n1 1 0\n0 0 1e999\n", "mesh:3:5: expected a finite coordinate, found \"1e999\"");
    assert_fails("OFF\n1 1 0\n0 0 0\n2 0 0\n", "mesh:4:1: expected a polygon of at least 3 corners, found 2");
    assert_fails("OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "mesh:4:7: expected a vertex from 0 to 0, found \"1\"");
    assert_fails("OFF BINARY\n", "mesh:1:5: expected the number of vertices, found \"BINARY\"");
    assert_fails(
        "v 0 0 0\nf 1 -2 1\n",
        "mesh:2:5: expected a vertex from 1 to 1, or one of 1 before from -1, found \"-2\"",
    );
    assert_fails(
        "v 0 0 0\ncurv 0 1 1\n",
        "mesh:2:1: expected a statement of an .obj file about vertices, faces or materials, found \"curv\"",
    );
    assert_fails("", "mesh:1:1: expected a vertex, found the end of the file");
    assert_fails("ply\nformat ascii 2.0\n", "mesh:2:14: expected 1.0, found \"2.0\"");
    assert_fails(
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n",
        "mesh:5:1: expected properties x, y and z of elements with the name vertex, found \"end_header\"",
    );
    let mut binary = binary_ply(false);
    let last = binary.len() - 1;
    binary[last] = 1;
    let expected = format!("mesh: byte {}: expected a vertex from 0 to 3, found 16777219", last - 3);
    assert_eq!(read(&binary).unwrap_err(), expected);
    binary.truncate(last);
    let expected = "expected a number of the type u32, found the end of the file after 3 bytes";
    assert!(read(&binary).unwrap_err().ends_with(expected));
    let utf16 = raw(b"\xff\xfev\0", Path::new("mesh")).unwrap_err().to_string();
    assert!(utf16.starts_with("mesh:1:1: expected text in UTF-8, found the byte order mark of UTF-16"), "{utf16}");
}

#[test]
fn garbage_at_the_end_of_a_line_is_refused_and_numbers_that_are_known_there_are_not() {
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (line, place, expected, found) in [
        ("v 0 0 0 junk", "4:9", "a number", "\"junk\""),
        ("v 0 0 0 1 0.5", "4:14", "a number", "the end of the line"),
        ("v 0 0 0 1 0 0 0 0", "4:17", "the end of the line", "\"0\""),
        ("f 1/x/y 2 3", "4:3", "whole numbers between at most two slashes", "\"1/x/y\""),
        ("f 1 2//nonsense 3", "4:5", "whole numbers between at most two slashes", "\"2//nonsense\""),
        ("f 1 2 3/1/1/1", "4:7", "whole numbers between at most two slashes", "\"3/1/1/1\""),
        ("f 1 2 \\\n3", "4:7", "a statement in one line", "a backslash, which continues it"),
    ] {
        let expected = format!("mesh:{place}: expected {expected}, found {found}");
        assert_fails(&format!("{triangle}{line}\n"), &expected);
    }
    for line in ["v 0 0 0 1", "v 0 0 0 1 0.5 0", "v 0 0 0 1 1 0.5 0", "f 1/ 2// 3/-1/2"] {
        assert!(read(format!("{triangle}{line}\n").as_bytes()).is_ok(), "{line}");
    }
    let off = |counts: &str, vertex: &str, face: &str| format!("OFF\n{counts}\n{vertex}\n{face}\n");
    assert_fails(&off("1 1 0 x", "0 0 0", "3 0 0 0"), "mesh:2:7: expected the end of the line, found \"x\"");
    assert_fails(&off("1 1", "0 0 0 garbage", "3 0 0 0"), "mesh:3:7: expected a number, found \"garbage\"");
    assert_fails(&off("1 1", "0 0 0", "3 0 0 0 red"), "mesh:4:9: expected a number, found \"red\"");
    let long = off("1 1", "0 0 0", "3 0 0 0 1 1 1 1 1");
    assert_fails(&long, "mesh:4:17: expected the end of the line, found \"1\"");
}

#[test]
fn a_file_that_begins_as_no_mesh_is_refused_before_the_rest_is_decompressed() {
    // A gzip file of stored blocks, which lacks its end.
    let zipped = |text: &[u8]| {
        let header = b"\x1f\x8b\x08\0\0\0\0\0\0\xff";
        let blocks = text.chunks_exact(0xffff).flat_map(|block| [b"\0\xff\xff\0\0", block].concat());
        header.iter().copied().chain(blocks).collect::<Vec<u8>>()
    };
    let error = |text: &[u8]| with_file("zipped", &zipped(text), |path| read_mesh(path)).unwrap_err();
    let zeros = error(&[b'0'; 300_000]);
    assert!(matches!(&zeros, ReadError::Unexpected { place: Place::Text { line: 1, column: 1 }, .. }), "{zeros}");
    let late = error(&[&b"# a comment\n".repeat(20_000)[..], b"solid x\n", &b"facet 1 0 0\n".repeat(60_000)].concat());
    assert!(late.to_string().contains(":20001:1: expected ply, OFF, pbbs_triangles or a statement"), "{late}");
    for mesh in [&b"v 0 0 0\n".repeat(40_000)[..], &b"# a comment\n".repeat(30_000), &[b' '; 300_000]] {
        assert!(matches!(error(mesh), ReadError::File(FileError::Truncated { .. })));
    }
}

#[test]
fn counts_that_no_memory_could_hold_are_errors_about_what_is_missing() {
    let count = u64::MAX / 2;
    for (text, missing) in [
        (format!("pbbs_triangles\n{count}\n{count}\n"), "a vertex"),
        (format!("OFF {count} {count} 0\n"), "a vertex"),
        (format!("OFF 1 1 0\n0 0 0\n{count} 0 0 0\n"), "a vertex"),
    ] {
        assert!(read(text.as_bytes()).unwrap_err().contains(&format!("expected {missing}, found the end of")));
    }
    for format in ["ascii", "binary_little_endian"] {
        let properties = "property float x\nproperty float y\nproperty float z\n";
        let text = format!("ply\nformat {format} 1.0\nelement vertex {count}\n{properties}end_header\n");
        assert!(read(text.as_bytes()).unwrap_err().contains("found the end of the file"));
    }
}

fn with_file<T>(name: &str, contents: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    let path = std::env::temp_dir().join(format!("filch-geometry-{name}-{}", std::process::id()));
    std::fs::write(&path, contents).unwrap();
    let result = read(&path);
    std::fs::remove_file(path).unwrap();
    result
}

#[test]
fn points_of_many_windows_are_read_in_order() {
    let mut random = fastrand::Rng::with_seed(2);
    let points: Vec<[f64; 3]> = (0..100_000).map(|_| [(); 3].map(|()| random.f64() * 1e3 - 500.0)).collect();
    let mut text = String::from("pbbs_sequencePoint3d\n");
    for [x, y, z] in &points {
        text.push_str(&format!("{x} {y:e} {z}\n"));
    }
    assert!(text.len() > 4 << 20, "more than a window");
    with_file("many-points", text.as_bytes(), |path| {
        assert!(read_points::<3>(path).unwrap() == points);
        let error = read_points::<2>(path).unwrap_err().to_string();
        assert!(error.ends_with(":1:1: expected pbbs_sequencePoint2d, found \"pbbs_sequencePoint3d\""), "{error}");
    });
    for line in [0, 1, 70_000, 99_999] {
        let place = text.match_indices('\n').nth(line).unwrap().0;
        let bad = format!("{}\n\n1 2 x{}", &text[..place], &text[place..]);
        with_file("bad-points", bad.as_bytes(), |path| {
            let error = read_points::<3>(path).unwrap_err().to_string();
            let expected = format!(":{}:5: expected a finite coordinate, found \"x\"", line + 3);
            assert!(error.ends_with(&expected), "{error}");
        });
    }
}

#[test]
fn lines_without_words_before_the_header_are_counted_however_many_there_are() {
    let empty = 9 << 20;
    for (rest, place, expected) in [
        ("pbbs_sequencePoint2d\n0 x\n", ":9437186:3", "a finite coordinate, found \"x\""),
        ("points\n", ":9437185:1", "pbbs_sequencePoint2d, found \"points\""),
        ("", ":9437185:1", "pbbs_sequencePoint2d, found the end of the file"),
    ] {
        with_file("late-header", ("\n".repeat(empty) + rest).as_bytes(), |path| {
            let error = read_points::<2>(path).unwrap_err().to_string();
            assert!(error.ends_with(&format!("{place}: expected {expected}")), "{error}");
        });
    }
}

#[test]
fn points_that_are_none_or_not_whole_are_refused() {
    let error = |text: &str| {
        with_file("points", text.as_bytes(), |path| read_points::<2>(path)).map_err(|error| error.to_string())
    };
    assert_eq!(error("pbbs_sequencePoint2d"), Ok(Vec::new()));
    assert!(error("\n\u{feff}pbbs_sequencePoint2d\n").is_err());
    assert_eq!(error("\u{feff}pbbs_sequencePoint2d\n\n1 2"), Ok(vec![[1.0, 2.0]]));
    for (text, expected) in [
        ("", ":1:1: expected pbbs_sequencePoint2d, found the end of the file"),
        ("\n\n", ":3:1: expected pbbs_sequencePoint2d, found the end of the file"),
        ("pbbs_sequencePoint2d\n1\n", ":2:2: expected a finite coordinate, found the end of the line"),
        ("pbbs_sequencePoint2d\n1 2 3\n", ":2:5: expected the end of the line, found \"3\""),
    ] {
        let error = error(text).unwrap_err();
        assert!(error.ends_with(expected), "{error}");
    }
    assert!(matches!(read_points::<2>("/nowhere/points"), Err(ReadError::File(FileError::NotFound { .. }))));
    assert!(matches!(read_mesh("/nowhere/mesh"), Err(ReadError::File(FileError::NotFound { .. }))));
}
