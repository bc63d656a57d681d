//! The index: built aside, swapped in whole, checked before use.

mod build;
mod index;
mod manifest;
mod store;
mod strangers;

pub use build::{BuildError, Ingredients, Progress, build, build_aside, labelled_examples};
pub use index::{Index, IndexError};
pub use manifest::{Counts, FORMAT, Manifest, Unfit};
pub use store::{Aside, BuildLock, Building, Store};
pub use strangers::Strangers;
