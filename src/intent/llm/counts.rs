//! What became of the questions.

use serde::Serialize;

use super::LlmError;

/// Questions since the start by what became of them; probes are not counted, nor a question that
/// its asker gave up before the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LlmCounts {
    /// All: the sum of the others.
    pub asked: u64,
    /// Answered from memory.
    pub cached: u64,
    /// Decided by the model.
    pub decided: u64,
    /// The model was loading, or had failed and was being probed.
    pub not_ready: u64,
    /// All places were taken.
    pub busy: u64,
    /// No answer within the limit.
    pub slow: u64,
    /// The server does not have the model.
    pub not_pulled: u64,
    /// The server or the connection failed.
    pub failed: u64,
    /// The answer named no label, or several.
    pub no_label: u64,
}

impl LlmCounts {
    pub(super) fn add_cached(&mut self) {
        self.asked += 1;
        self.cached += 1;
    }

    pub(super) fn add<T>(&mut self, outcome: &Result<T, LlmError>) {
        self.asked += 1;
        let kind = match outcome {
            Ok(_) => &mut self.decided,
            Err(LlmError::NotReady { .. }) => &mut self.not_ready,
            Err(LlmError::Busy(_)) => &mut self.busy,
            Err(LlmError::Slow { .. }) => &mut self.slow,
            Err(LlmError::NotPulled { .. }) => &mut self.not_pulled,
            Err(LlmError::Failed { .. } | LlmError::Address(_)) => &mut self.failed,
            Err(LlmError::NoLabel { .. }) => &mut self.no_label,
        };
        *kind += 1;
    }
}
