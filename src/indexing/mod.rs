//! The index: built aside, swapped in whole, checked before use.

mod build;
mod enrich;
mod index;
mod inspect;
mod manifest;
mod store;
mod strangers;

pub use build::{BuildError, Ingredients, Progress, Work, build, build_aside, labelled_examples};
pub use index::{Draft, Index, IndexError, Unread};
pub use inspect::{Added, Field, Inspection, inspect};
pub use manifest::{Counts, FORMAT, Manifest, Unfit};
pub use store::{Aside, BuildLock, Building, Store};
pub use strangers::Strangers;
