//! Enums whose values have names that users type: the names are displayed, parsed, and listed by errors.

/// Gives `ALL`, a private `name`, [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr) to an enum, and
/// declares the error for other names: `cli_enum!(Enum, "what it is", Error: Variant = "name", ...)`.
macro_rules! cli_enum {
    ($Enum:ident, $what:literal, $Error:ident: $($Variant:ident = $name:literal),+ $(,)?) => {
        impl $Enum {
            /// All of them, in the order of their declaration.
            pub const ALL: [$Enum; [$($name),+].len()] = [$($Enum::$Variant),+];

            const fn name(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name),+
                }
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        #[doc = concat!("The name of an unknown ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("unknown {what} `{0}`: expected {all}", what = $what, all = $crate::cli_enum::one_of(&[$($name),+]))]
        pub struct $Error(String);

        impl std::str::FromStr for $Enum {
            type Err = $Error;

            fn from_str(text: &str) -> Result<Self, $Error> {
                let found = $Enum::ALL.into_iter().find(|known| known.name() == text);
                found.ok_or_else(|| $Error(text.to_owned()))
            }
        }
    };
}

pub(crate) use cli_enum;

/// The names as an enumeration in words: `a, b or c`.
pub(crate) fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::one_of;
    use crate::bfs::Direction;

    #[test]
    fn every_value_is_parsed_as_it_is_displayed_and_listed_in_errors() {
        for direction in Direction::ALL {
            assert_eq!(direction.to_string().parse(), Ok(direction));
        }
        let error = "sideways".parse::<Direction>().expect_err("there is no such direction").to_string();
        assert_eq!(error, "unknown direction `sideways`: expected auto, top-down or bottom-up");
    }

    #[test]
    fn an_enumeration_has_one_or_before_the_last() {
        assert_eq!([&["a"][..], &["a", "b"], &["a", "b", "c"]].map(one_of), ["a", "a or b", "a, b or c"]);
    }
}
