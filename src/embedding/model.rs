//! The model itself: tokens in, a vector out. Knows nothing of queues or threads of others.

use std::fmt;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use sha2::{Digest, Sha256};
use tokenizers::Tokenizer;

use super::passage::{Role, hex};
use super::{EmbedError, ModelIdentity, windows};
use crate::domain::Vector;

/// Most tokens the model reads, `<s>` and `</s>` included.
pub(super) const MOST_TOKENS: usize = 512;

const NAME: &str = "multilingual-e5-small-de-en-int8";
const DIMENSION: usize = 384;

// Inside the binary, so that it runs anywhere and can not meet a wrong file: decision 0002.
static WEIGHTS: &[u8] = include_bytes!("../../models/multilingual-e5-small-de-en-int8.onnx");
static TOKENIZER: &[u8] = include_bytes!("../../models/tokenizer.json");

/// Weights and tokenizer, ready to run from any number of threads.
pub(super) struct E5 {
    identity: ModelIdentity,
    model: Model,
    tokenizer: Tokenizer,
    input: NodeId,
    output: NodeId,
}

impl fmt::Debug for E5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("E5").field("identity", &self.identity).finish_non_exhaustive()
    }
}

impl E5 {
    /// Loads the model that is part of the binary; about 0.2 s and 100 MB.
    pub(super) fn load() -> Result<Self, EmbedError> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| EmbedError::Load {
            name: NAME.to_owned(),
            source,
        };
        // The tokenizer takes as long as the weights: load both at once.
        let (model, tokenizer, digest) = std::thread::scope(|scope| {
            let tokenizer = scope.spawn(load_tokenizer);
            let digest = scope.spawn(digest);
            let model = load_model();
            let broken = "a loader thread does not panic on the built-in files";
            (model, tokenizer.join().expect(broken), digest.join().expect(broken))
        });
        let model = model.map_err(failed)?;
        let input = model.node_id("input_ids").map_err(|e| failed(e.into()))?;
        let output = model.node_id("sentence_embedding").map_err(|e| failed(e.into()))?;
        Ok(Self {
            identity: ModelIdentity { name: NAME.to_owned(), digest, dimension: DIMENSION },
            model,
            tokenizer: tokenizer.map_err(failed)?,
            input,
            output,
        })
    }

    pub(super) fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// Tokens of a text, `<s>` and `</s>` included.
    pub(super) fn count(&self, text: &str) -> Result<usize, EmbedError> {
        Ok(self.encode(text)?.len())
    }

    /// The vector of a text under the model's own prefix, computed on the threads of `pool`.
    ///
    /// A text of more than [`MOST_TOKENS`] tokens is embedded in parts and their mean is taken: a
    /// question must have one vector, and nothing of it is cut off. Windows of sections never are
    /// that long.
    pub(super) fn embed(&self, role: Role, text: &str, pool: &Arc<ThreadPool>) -> Result<Vector, EmbedError> {
        let prefix = prefix(role);
        let tokens = self.encode(&format!("{prefix}{text}"))?;
        if tokens.len() <= MOST_TOKENS {
            return self.vector(self.run(&tokens, pool)?);
        }
        let mut sum = vec![0.0_f32; DIMENSION];
        for part in self.windows(role, "", "", text) {
            let part = self.run(&self.encode(&format!("{prefix}{part}"))?, pool)?;
            sum.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        }
        self.vector(sum)
    }

    /// Cuts a text so that each window fits with the model's own prefix, `prefix` and `title`.
    pub(super) fn windows(&self, role: Role, prefix_line: &str, title: &str, text: &str) -> Vec<String> {
        let own = prefix(role);
        // The tokenizer fails on no text that we know of; a failure would count as too long and
        // split further, down to single characters.
        let count = |text: &str| self.count(&format!("{own}{text}")).unwrap_or(usize::MAX);
        windows::cut(prefix_line, title, text, MOST_TOKENS, &count)
    }

    fn encode(&self, text: &str) -> Result<Vec<i32>, EmbedError> {
        let encoding = self.tokenizer.encode_fast(text, true).map_err(EmbedError::Inference)?;
        encoding
            .get_ids()
            .iter()
            .map(|id| i32::try_from(*id).map_err(|e| EmbedError::Inference(e.into())))
            .collect()
    }

    fn run(&self, tokens: &[i32], pool: &Arc<ThreadPool>) -> Result<Vec<f32>, EmbedError> {
        // One text per run: padding would change the bits of the shorter ones.
        let input = NdTensor::from_data([1, tokens.len()], tokens.to_vec());
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
        let [output] = self
            .model
            .run_n(vec![(self.input, input.view().into())], [self.output], Some(options))
            .map_err(|e| EmbedError::Inference(e.into()))?;
        let output: NdTensor<f32, 2> = output
            .try_into()
            .map_err(|_| EmbedError::Inference("the output is no matrix of f32".into()))?;
        Ok(output.into_data())
    }

    fn vector(&self, values: Vec<f32>) -> Result<Vector, EmbedError> {
        if values.len() != DIMENSION {
            return Err(EmbedError::Dimension {
                model: NAME.to_owned(),
                expected: DIMENSION,
                found: values.len(),
            });
        }
        Vector::new(values)
            .map_err(|source| EmbedError::Unusable { model: NAME.to_owned(), source })
    }
}

/// What e5 was trained with; part of the identity because another prefix gives other vectors.
pub(super) fn prefix(role: Role) -> &'static str {
    match role {
        Role::Section => "passage: ",
        Role::Question => "query: ",
    }
}

fn load_model() -> Result<Model, Box<dyn std::error::Error + Send + Sync>> {
    let mut options = ModelOptions::with_all_ops();
    // Three times faster questions for 20 MB and 80 ms at start: decision 0003.
    options.prepack_weights(true);
    Ok(options.load_static_slice(WEIGHTS)?)
}

fn load_tokenizer() -> Result<Tokenizer, Box<dyn std::error::Error + Send + Sync>> {
    let mut tokenizer = Tokenizer::from_bytes(TOKENIZER)?;
    // Windows are cut by us, where sentences end; the tokenizer must not cut silently.
    tokenizer.with_truncation(None)?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
}

fn digest() -> String {
    let mut hash = Sha256::new();
    for part in [WEIGHTS, TOKENIZER, prefix(Role::Section).as_bytes(), prefix(Role::Question).as_bytes()] {
        hash.update(Sha256::digest(part));
    }
    hex(&hash.finalize())
}
