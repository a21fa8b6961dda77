//! Bits, and the codes of whole numbers that BvGraphs consist of (Boldi and Vigna 2004, "The WebGraph framework I:
//! compression techniques", section 3, and 2005, "Codes for the World Wide Web", section 2).

/// A position in a sequence of bits. The first bit of a byte is its highest.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// The number of bits that have been read.
    pub(super) at: u64,
}

/// A code of the numbers from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Unary,
    Gamma,
    Delta,
    /// With its parameter, at least 1.
    Zeta(u32),
}

/// A number of so many bits is read at a time, whatever its place in a byte.
const MOST_AT_ONCE: u32 = 56;

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Bits { bytes, at: 0 }
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// The next 57 bits or more, from the highest bit on, and zeros after the end.
    #[inline(always)]
    fn ahead(&self) -> u64 {
        let (byte, bit) = ((self.at / 8) as usize, self.at % 8);
        let word = match self.bytes.get(byte..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(eight) => u64::from_be_bytes(*eight),
            None => {
                let mut eight = [0; 8];
                let rest = self.bytes.get(byte..).unwrap_or_default();
                eight[..rest.len()].copy_from_slice(rest);
                u64::from_be_bytes(eight)
            }
        };
        word << bit
    }

    /// A number of `count` bits, below 64. `None` if the file ends before.
    #[inline(always)]
    fn number(&mut self, count: u32) -> Option<u64> {
        if count > MOST_AT_ONCE {
            let high = self.number(count - MOST_AT_ONCE)?;
            return Some(high << MOST_AT_ONCE | self.number(MOST_AT_ONCE)?);
        }
        if count == 0 {
            return Some(0);
        }
        let number = self.ahead() >> (64 - count);
        self.at += u64::from(count);
        (self.at <= self.len()).then_some(number)
    }

    /// The number of zeros before the next one.
    #[inline(always)]
    fn unary(&mut self) -> Option<u64> {
        let mut zeros = 0;
        loop {
            let leading = self.ahead().leading_zeros();
            if leading <= MOST_AT_ONCE {
                self.at += u64::from(leading) + 1;
                return (self.at <= self.len()).then_some(zeros + u64::from(leading));
            }
            self.at += u64::from(MOST_AT_ONCE);
            zeros += u64::from(MOST_AT_ONCE);
            if self.at >= self.len() {
                return None;
            }
        }
    }

    /// A number that has `count` bits after its highest one, less one.
    #[inline(always)]
    fn after_highest(&mut self, count: u64) -> Option<u64> {
        let count = u32::try_from(count).ok().filter(|&count| count < 64)?;
        Some((1 << count | self.number(count)?) - 1)
    }

    #[inline(always)]
    fn gamma(&mut self) -> Option<u64> {
        let count = self.unary()?;
        self.after_highest(count)
    }

    /// The next number in a code. `None` if the file ends before, or if the number does not fit in 64 bits.
    #[inline(always)]
    pub(super) fn next(&mut self, code: Code) -> Option<u64> {
        match code {
            Code::Unary => self.unary(),
            Code::Gamma => self.gamma(),
            Code::Delta => {
                let count = self.gamma()?;
                self.after_highest(count)
            }
            Code::Zeta(k) => {
                let zeros = u32::try_from(self.unary()?).ok().filter(|&zeros| zeros < 64)?;
                let low = zeros * k;
                if low + k >= 64 {
                    return None;
                }
                // Of the numbers from 2^low to 2^(low + k), the first 2^low have one bit less.
                let short = self.number(low + k - 1)?;
                let first = 1 << low;
                let place = if short < first { short } else { (short << 1 | self.number(1)?) - first };
                Some(first + place - 1)
            }
        }
    }
}

/// The number, possibly below 0, that a number stands for: 0, -1, 1, -2, 2, ...
pub(super) fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that these bits, given as text, are in a code.
    fn read(text: &str, code: Code) -> Vec<u64> {
        let mut bytes = vec![0; text.len().div_ceil(8)];
        for (place, _) in text.bytes().enumerate().filter(|&(_, bit)| bit == b'1') {
            bytes[place / 8] |= 0x80 >> (place % 8);
        }
        let mut bits = Bits::new(&bytes);
        let mut numbers = Vec::new();
        while bits.at < text.len() as u64 {
            numbers.push(bits.next(code).unwrap());
        }
        numbers
    }

    /// The code words of 0 to 7, as Boldi and Vigna (2005) define them.
    #[test]
    fn numbers_are_read_as_the_codes_are_defined() {
        let gamma = ["1", "010", "011", "00100", "00101", "00110", "00111", "0001000"];
        for (code, words) in [
            (Code::Unary, ["1", "01", "001", "0001", "00001", "000001", "0000001", "00000001"]),
            (Code::Gamma, gamma),
            (Code::Delta, ["1", "0100", "0101", "01100", "01101", "01110", "01111", "00100000"]),
            (Code::Zeta(1), gamma),
            (Code::Zeta(2), ["10", "110", "111", "01000", "01001", "01010", "01011", "011000"]),
            (Code::Zeta(3), ["100", "1010", "1011", "1100", "1101", "1110", "1111", "0100000"]),
        ] {
            assert_eq!(read(&words.concat(), code), [0, 1, 2, 3, 4, 5, 6, 7], "{code:?}");
        }
    }

    #[test]
    fn no_number_goes_beyond_the_end_or_64_bits() {
        for code in [Code::Unary, Code::Gamma, Code::Delta, Code::Zeta(1), Code::Zeta(3), Code::Zeta(7)] {
            assert_eq!(Bits::new(&[]).next(code), None);
            assert_eq!(Bits::new(&[0; 100]).next(code), None);
            let mut far = [0; 40];
            far[39] = 1;
            assert_eq!(Bits::new(&far).next(code).is_some(), code == Code::Unary, "{code:?}");
        }
        // 63 bits after the highest one.
        let mut bytes = [0xff; 16];
        bytes[..8].copy_from_slice(&1_u64.to_be_bytes());
        assert_eq!(Bits::new(&bytes).next(Code::Gamma), Some(u64::MAX - 1));
    }

    #[test]
    fn signs_alternate() {
        assert_eq!([0, 1, 2, 3, 4].map(signed), [0, -1, 1, -2, 2]);
        assert_eq!([u64::MAX, u64::MAX - 1].map(signed), [i64::MIN, i64::MAX]);
    }
}
