//! Who asks, and what he may see.
//!
//! A caller shows a key (`Authorization: Bearer wgw_…`). The key stands for a [`Role`], what he may
//! do, and for [`Audiences`], what he may see. [`Gate`] turns a request into a [`Caller`]; every
//! handler takes one. What a caller may not see is not filtered out of answers: he is answered from
//! an index in which it does not exist (`pipeline::views`).

mod audit;
mod caller;
mod gate;
mod keys;
mod limit;
mod secret;

pub use audit::{Action, AuditLog};
pub use caller::{Caller, Role};
pub use gate::{Gate, Refused, Shown, Unguarded};
pub use keys::{Key, KeyError, Keys, Right};
pub use limit::RateLimit;
pub use secret::Secret;

pub use crate::domain::Audiences;
