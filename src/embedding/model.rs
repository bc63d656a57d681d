//! The model itself: tokens in, a vector out. Knows nothing of queues or threads of others.

use std::fmt;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;
use sha2::{Digest, Sha256};
use tokenizers::Tokenizer;

use super::passage::Role;
use super::windows::{self, Size};
use super::{EmbedError, ModelIdentity};
use crate::domain::{Vector, hex};

/// Most tokens the model reads, `<s>` and `</s>` included.
pub(super) const MOST_TOKENS: usize = 512;

/// Tokens of a window where head and text allow it. Shorter than the model reads: a paraphrase meets
/// two or three sentences better than a page (R@10 .72 against .66 with whole sections, decision 0002).
const WINDOW_TOKENS: usize = 160;

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

    /// Tokens that the model sees for a text: with its own prefix (the longest one), `<s>` and `</s>`.
    pub(super) fn tokens(&self, text: &str) -> Result<usize, EmbedError> {
        Ok(self.encode(&format!("{WHOLE_PREFIX}{text}"))?.len())
    }

    /// The vector of a text under the model's own prefix, computed on the threads of `pool`.
    ///
    /// A text of more than [`MOST_TOKENS`] tokens is embedded in parts and their mean is taken: a
    /// question must have one vector, and nothing of it is cut off. Windows of sections never are
    /// that long.
    pub(super) fn embed(
        &self,
        role: Role,
        text: &str,
        pool: &Arc<ThreadPool>,
    ) -> Result<Vector, EmbedError> {
        let own = match role {
            Role::Question | Role::Window => OWN_PREFIX,
            Role::Whole => WHOLE_PREFIX,
        };
        let tokens = self.encode(&format!("{own}{text}"))?;
        if tokens.len() <= MOST_TOKENS {
            return Self::vector(self.run(&tokens, pool)?);
        }
        let mut sum = vec![0.0_f32; DIMENSION];
        let whole = Size { target: MOST_TOKENS, most: MOST_TOKENS };
        for part in self.cut("", "", text, whole) {
            let part = self.run(&self.encode(&format!("{own}{part}"))?, pool)?;
            sum.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        }
        Self::vector(sum)
    }

    /// Cuts a section so that each window fits with the model's own prefix, `prefix` and `title`.
    pub(super) fn windows(&self, prefix: &str, title: &str, text: &str) -> Vec<String> {
        let size = Size { target: WINDOW_TOKENS, most: MOST_TOKENS };
        self.cut(prefix, title, text, size)
    }

    /// A section in pieces as long as the model reads.
    pub(super) fn whole(&self, title: &str, text: &str) -> Vec<String> {
        self.cut("", title, text, Size { target: MOST_TOKENS, most: MOST_TOKENS })
    }

    fn cut(&self, prefix: &str, title: &str, text: &str, size: Size) -> Vec<String> {
        // The tokenizer fails on no text that we know of; a failure would count as too long and
        // split further, down to single characters.
        let count = |text: &str| self.tokens(text).unwrap_or(usize::MAX);
        windows::cut(prefix, title, text, size, &count)
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

    fn vector(values: Vec<f32>) -> Result<Vector, EmbedError> {
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

/// What stands before questions and windows. e5 was trained with `passage: ` before sections, but in
/// windows of this size `query: ` on both sides found more (decision 0002). Part of the identity of
/// the model, because another prefix gives other vectors.
const OWN_PREFIX: &str = "query: ";
/// What stands before whole sections: there the training's own prefix finds more, and being another
/// view of the section than the windows is what makes it worth a vector (decision 0016). Whoever
/// changes it must change the key of whole sections in [`super::passage::Passage::digest`] too: as
/// part of the identity it would make every cached window worthless.
const WHOLE_PREFIX: &str = "passage: ";

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
    for part in [WEIGHTS, TOKENIZER, OWN_PREFIX.as_bytes()] {
        hash.update(Sha256::digest(part));
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Reference {
        text: String,
        tokens: usize,
        vector: Vec<f32>,
    }

    /// Texts with vectors that were computed in f32 by an independent program.
    fn references() -> Vec<Reference> {
        include_str!("../../tests/fixtures/model/reference.jsonl")
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn vectors_agree_with_the_float32_reference() {
        let model = E5::load().unwrap();
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        for reference in references() {
            let tokens = model.encode(&reference.text).unwrap();
            assert_eq!(tokens.len(), reference.tokens, "{}", reference.text);
            let vector = E5::vector(model.run(&tokens, &pool).unwrap()).unwrap();
            let cosine = vector.cosine(&Vector::new(reference.vector).unwrap());
            assert!(cosine >= 0.997, "cosine {cosine} for {}", reference.text);
            if let Some(question) = reference.text.strip_prefix(OWN_PREFIX) {
                assert_eq!(model.embed(Role::Question, question, &pool).unwrap(), vector);
            }
        }
    }

    #[test]
    fn a_vector_does_not_depend_on_the_number_of_threads() {
        let model = E5::load().unwrap();
        let pools = [1, 2, 3].map(|threads| Arc::new(ThreadPool::with_num_threads(threads)));
        for reference in references().iter().take(6) {
            let vectors = pools
                .each_ref()
                .map(|pool| model.embed(Role::Question, &reference.text, pool).unwrap());
            assert_eq!(vectors[0], vectors[1]);
            assert_eq!(vectors[0], vectors[2]);
        }
    }

    #[test]
    fn windows_are_counted_in_tokens_with_every_prefix() {
        let model = E5::load().unwrap();
        let sentence = "Verteiltes Lernen wirkt besser als massiertes Lernen. ";
        let text = format!("{}Der letzte Satz nennt die Zahl 42.", sentence.repeat(120));
        let windows = model.windows("SG: Wirkung_und_Entwicklung\n\n", "Lernen", &text);
        assert!(windows.len() > 5);
        for window in &windows {
            assert!(model.tokens(window).unwrap() <= WINDOW_TOKENS);
            assert!(window.starts_with("SG: Wirkung_und_Entwicklung\n\nLernen\n\n"));
        }
        assert!(windows.last().unwrap().ends_with("Der letzte Satz nennt die Zahl 42."));
    }

    #[test]
    fn hostile_text_is_cut_into_windows_and_embedded() {
        let model = E5::load().unwrap();
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        for text in ["", "\u{0}", "x", "👍", "<s></s><unk><pad>", "\u{fffd}\u{200d}"] {
            model.embed(Role::Question, text, &pool).unwrap();
        }
        for text in ["x".repeat(3_000), "👩‍👩‍👧".repeat(500), "ẞ".repeat(3_000), "汉".repeat(3_000)]
        {
            let windows = model.windows("", "Titel", &text);
            for window in &windows {
                assert!(model.tokens(window).unwrap() <= MOST_TOKENS);
            }
        }
        // Longer than the model reads: the end still counts.
        let long = "Wie lange dauert das? ".repeat(100);
        let with_end = format!("{long}Und was kostet ein Fahrrad?");
        let plain = model.embed(Role::Question, &long, &pool).unwrap();
        assert_ne!(plain, model.embed(Role::Question, &with_end, &pool).unwrap());
    }
}
