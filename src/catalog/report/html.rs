//! html
use crate::catalog::run::Run;
/// html
pub fn html(run: &Run) -> String {
    super::escaped(&run.questions.len().to_string())
}
