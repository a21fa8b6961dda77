//! A package with a `links` key must have a build script. This one has nothing to do.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
