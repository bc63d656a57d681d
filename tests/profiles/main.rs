//! Levers of the profiles and ways to fuse. A program of its own: its many models would leave no
//! processor to the server of the other tests, which then refuses questions.

mod fusion;
#[path = "../service/harness.rs"]
#[allow(dead_code, reason = "shared with the tests of the service, which use all of it")]
mod harness;
mod levers;
