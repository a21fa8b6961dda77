//! The order of layers, as `xtask/layers.txt` has it.

use super::source::ModulePath;

/// The layers of one crate, and what is tolerated there for now.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Crate {
    /// The name of its folder in `crates`.
    pub(crate) name: String,
    /// The order at the root, and in the folders that have one. The root comes first.
    pub(crate) orders: Vec<Order>,
    pub(crate) allowed: Vec<Allowed>,
}

/// The layers in one folder.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    pub(crate) folder: ModulePath,
    /// From top to bottom, the modules of each layer.
    pub(crate) layers: Vec<Vec<String>>,
}

/// Uses that are against the rules, and exactly how many.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Allowed {
    pub(crate) count: usize,
    pub(crate) user: ModulePath,
    pub(crate) used: ModulePath,
}

impl Order {
    /// In which layer a module stands, counted from the top.
    pub(crate) fn layer(&self, module: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.iter().any(|name| name == module))
    }
}

/// Reads the table. The error names the line.
pub(crate) fn parse(text: &str) -> Result<Vec<Crate>, String> {
    let mut crates: Vec<Crate> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        let wrong = |expected: &str| format!("layers.txt:{}: expected {expected}, found `{line}`", number + 1);
        if let ["crate", name] = words[..] {
            let orders = vec![Order::default()];
            crates.push(Crate { name: name.to_owned(), orders, allowed: Vec::new() });
            continue;
        }
        if words.is_empty() {
            continue;
        }
        let current = crates.last_mut().ok_or_else(|| wrong("`crate NAME` before all else"))?;
        match words[..] {
            ["in", folder] => current.orders.push(Order { folder: path(folder), ..Order::default() }),
            ["allow", count, user, "->", used] => {
                let count = count.parse().map_err(|_| wrong("a count behind `allow`"))?;
                current.allowed.push(Allowed { count, user: path(user), used: path(used) });
            }
            ["allow", ..] => return Err(wrong("`allow COUNT USER -> USED`")),
            _ => {
                let order = current.orders.last_mut().ok_or_else(|| wrong("`crate NAME` before all else"))?;
                if let Some(twice) = words.iter().find(|word| order.layer(word).is_some()) {
                    return Err(wrong(&format!("{twice} to stand in one layer")));
                }
                order.layers.push(words.into_iter().map(str::to_owned).collect());
            }
        }
    }
    Ok(crates)
}

/// `lib` is the root.
fn path(text: &str) -> ModulePath {
    if text == "lib" { Vec::new() } else { text.split("::").map(str::to_owned).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read() {
        let text = "# order\ncrate filch\n free\n a b # beside each other\n in a\n x\n allow 2 b::c -> lib\n";
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let filch = Crate {
            name: "filch".to_owned(),
            orders: vec![
                Order { folder: Vec::new(), layers: vec![names(&["free"]), names(&["a", "b"])] },
                Order { folder: names(&["a"]), layers: vec![names(&["x"])] },
            ],
            allowed: vec![Allowed { count: 2, user: names(&["b", "c"]), used: Vec::new() }],
        };
        assert_eq!(parse(text).expect("the table is right"), [filch]);
    }

    #[test]
    fn a_wrong_line_is_named() {
        for (text, place) in [("free", ":1:"), ("crate a\nallow x -> y", ":2:"), ("crate a\nb\nc b", ":3:")] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(place), "{error}");
        }
    }
}
