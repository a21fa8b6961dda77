//! Which graphs are in the zoo.

use filch_graph::{GraphSpec, Labels};

/// The graphs of about `n` vertices, each by rows, shuffled and reversed. Random ones are in one order only.
pub(super) fn of_about(n: usize) -> Vec<GraphSpec> {
    let n = n.max(64);
    let side = n.isqrt();
    let scale = n.ilog2();
    let mut ordered = Vec::new();
    let mut add = |spec: String| ordered.push(spec);

    // Deep and narrow, and less so.
    add(format!("path({n})"));
    add(format!("path({}),twice", n / 2));
    for columns in [2, 4, 64].into_iter().filter(|columns| n / columns > 1) {
        add(format!("grid({},{columns})", n / columns));
        add(format!("grid({columns},{})", n / columns));
    }
    add(format!("grid({side},{side})"));
    add(format!("torus({side})"));
    add(format!("meshes({},{})", side / 3, side - side / 3));
    for missing in [30, 55] {
        add(format!("roads({side},{side},{missing})"));
    }
    add(format!("regular({},4)", n / 2 * 2));
    add(format!("regular({},15)", n / 2 * 2));
    add(format!("bintree({scale})"));
    add(format!("bintree({}),twice", scale - 1));
    for leaves in [1, 9, 130] {
        add(format!("stars({},{leaves})", (n / (leaves + 1)).max(1)));
    }

    // Many components.
    for size in [2, 50, 129, 130] {
        add(format!("islands({},{size})", (n / size).max(1)));
    }
    add(format!("islands({},3,{side})", n / 12 + 1));
    for size in [3, 128, 129, 1000] {
        add(format!("cycles({},{size})", (n / size).max(1)));
    }
    for size in [16, 17, 200] {
        add(format!("cliques({},{size})", (n / size / 4).max(1)));
    }
    for leaves in [128, 129, 1000] {
        add(format!("galaxy({},{leaves})", (n / (leaves + 1)).max(1)));
    }

    // Few huge rows, and dense parts.
    add(format!("galaxy(1,{})", n - 1));
    add(format!("bipartite(4,{n})"));
    add(format!("lollipop({},{n})", side.min(2000)));
    add(format!("cliques(1,{})", 2 * side));
    add(format!("cliques(1,{}),twice", side));
    add(format!("hypercube({scale})"));

    let drawn = [
        format!("random({n},1)"),
        format!("random({n},2)"),
        format!("uniform({scale},8)"),
        format!("kronecker({scale},8)"),
        format!("kronecker({},8),twice", scale - 1),
    ];
    let parsed = |text: &String| text.parse::<GraphSpec>().expect("the zoo knows how specifications are written");
    let orders = [Labels::RowOrder, Labels::Shuffled, Labels::Reversed];
    let each = ordered.iter().map(parsed).flat_map(|spec| orders.map(|labels| GraphSpec { labels, ..spec }));
    each.chain(drawn.iter().map(parsed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_graph_of_the_zoo_has_about_the_size_asked_for_in_every_order() {
        for n in [1, 64, 1000, 1 << 20] {
            let specs = of_about(n);
            for spec in &specs {
                let vertices = spec.shape.num_vertices().unwrap() * if spec.is_twice { 2 } else { 1 };
                assert!(vertices <= 4 * n.max(256), "{spec} has {vertices} vertices");
            }
            let of = |labels| specs.iter().filter(|spec| spec.labels == labels).count();
            assert_eq!(of(Labels::Shuffled), of(Labels::Reversed));
            assert!(of(Labels::RowOrder) > of(Labels::Shuffled));
        }
    }
}
