//! What every way to fuse the channels must hold.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::OnceCell;
use wegweiser::config::Config;
use wegweiser::domain::{Answer, Fusion, Mode, Query};
use wegweiser::pipeline::assemble::Assembly;
use wegweiser::pipeline::{Pipeline, SearchRequest};

use crate::harness::{Silent, ids, search, settings};

const QUESTION: &str = "Wie lange darf ich ein Buch behalten?";

/// One pipeline for each fusion, over one index.
async fn pipelines() -> &'static [(Fusion, Arc<Pipeline>)] {
    static PIPELINES: OnceCell<Vec<(Fusion, Arc<Pipeline>)>> = OnceCell::const_new();
    PIPELINES
        .get_or_init(|| async {
            let folder = tempfile::tempdir().expect("a folder");
            let mut pipelines = Vec::new();
            for fusion in Fusion::ALL {
                let config = Config { fusion, ..settings(folder.path()) };
                let assembly = Assembly::prepare(&config).await.expect("files without problems");
                let index = assembly.index(&mut Silent).expect("an index");
                let pipeline = assembly.pipeline(&config, index);
                pipelines.push((fusion, Arc::new(pipeline)));
            }
            // The open indexes read from it as long as the process runs.
            std::mem::forget(folder);
            pipelines
        })
        .await
}

async fn asked(pipeline: &Pipeline, question: &str, request: &SearchRequest) -> Answer {
    let query = Query::new(question, 2_000).expect("a question");
    pipeline.search(&query, request).await.expect("an answer").answer
}

#[tokio::test]
async fn scores_are_on_one_scale_and_the_lowest_can_be_left_out_in_every_mode() {
    for (fusion, pipeline) in pipelines().await {
        for mode in [Mode::Hybrid, Mode::Vector, Mode::Lexical] {
            let all = SearchRequest { mode, k: Some(5), ..SearchRequest::default() };
            let answer = asked(pipeline, QUESTION, &all).await;
            assert_eq!(answer.trace.fusion.expect("searched").method, fusion.as_str());
            let hits = answer.hits.expect("hits");
            let scores: Vec<f64> = hits.iter().map(|hit| hit.score).collect();
            assert!(scores.len() > 1, "{fusion:?} {mode:?}");
            assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
            assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
            let least = scores[0];
            let best =
                asked(pipeline, QUESTION, &SearchRequest { min_score: Some(least), ..all }).await;
            let kept = hits.iter().filter(|hit| hit.score >= least).cloned().collect::<Vec<_>>();
            assert!(kept.len() < hits.len(), "{fusion:?} {mode:?} {scores:?}");
            assert_eq!(best.hits, Some(kept), "{fusion:?} {mode:?}");
        }
    }
}

#[tokio::test]
async fn a_channel_that_has_nothing_to_say_is_named_and_changes_nothing() {
    for (fusion, pipeline) in pipelines().await {
        let order = async |mode| {
            let request = SearchRequest { mode, ..SearchRequest::default() };
            let answer = asked(pipeline, "👍", &request).await;
            let hits = answer.hits.expect("hits");
            let found: Vec<(String, f64)> =
                hits.into_iter().map(|hit| (hit.id, hit.score)).collect();
            (found, answer.degraded)
        };
        let (alone, none) = order(Mode::Vector).await;
        assert_eq!((alone.len(), none), (5, Vec::new()), "{fusion:?}");
        assert_eq!(order(Mode::Hybrid).await, (alone, vec!["lexical".to_owned()]), "{fusion:?}");
        let silent = vec!["lexical".to_owned()];
        assert_eq!(order(Mode::Lexical).await, (Vec::new(), silent), "{fusion:?}");
    }
}

#[tokio::test]
async fn where_no_hit_is_good_enough_the_answer_says_no() {
    let body = json!({"question": QUESTION, "min_score": 1.0});
    let reply = search(&body).await;
    assert_eq!(ids(&reply), Vec::<String>::new());
    let answer = reply.json();
    assert_eq!((&answer["answerable"], &answer["confidence"]), (&json!(false), &json!(0.0)));
    let all = search(&json!({"question": QUESTION, "min_score": 0.0})).await;
    assert_eq!(ids(&all), ids(&search(&json!({"question": QUESTION})).await));
}
