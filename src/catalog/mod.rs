//! The question catalog: questions with the answer that is expected of them.

mod load;
mod question;

pub use load::{CatalogError, load};
pub use question::{Expected, Origin, Question};
