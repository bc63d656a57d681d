//! Two channels and how they become one order.

pub mod diversity;
pub mod fuse;
pub mod lexical;
pub mod vector;
