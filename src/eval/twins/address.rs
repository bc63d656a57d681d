//! `du` and `Sie`: pronouns and the verb beside them.

/// Second person singular and polite form of the verbs that questions address with.
const VERBS: [(&str, &str); 26] = [
    ("bist", "sind"),
    ("brauchst", "brauchen"),
    ("denkst", "denken"),
    ("empfiehlst", "empfehlen"),
    ("erklärst", "erklären"),
    ("findest", "finden"),
    ("gibst", "geben"),
    ("glaubst", "glauben"),
    ("hast", "haben"),
    ("hältst", "halten"),
    ("kannst", "können"),
    ("kennst", "kennen"),
    ("könntest", "könnten"),
    ("lernst", "lernen"),
    ("machst", "machen"),
    ("meinst", "meinen"),
    ("musst", "müssen"),
    ("rätst", "raten"),
    ("sagst", "sagen"),
    ("sollst", "sollen"),
    ("weißt", "wissen"),
    ("weisst", "wissen"),
    ("willst", "wollen"),
    ("wirst", "werden"),
    ("würdest", "würden"),
    ("zeigst", "zeigen"),
];
const PRONOUNS: [(&str, &str); 8] = [
    ("dir", "Ihnen"),
    ("dich", "Sie"),
    ("dein", "Ihr"),
    ("deine", "Ihre"),
    ("deinem", "Ihrem"),
    ("deinen", "Ihren"),
    ("deiner", "Ihrer"),
    ("deines", "Ihres"),
];

/// The question with the other form of address; nothing where it addresses nobody, or with a verb
/// that is not listed.
pub(super) fn exchanged(question: &str) -> Option<String> {
    let words: Vec<&str> = question.split(' ').collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
    let beside = |at: usize| {
        [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter(|at| *at < words.len())
    };
    let verb = |at: usize, polite: bool| {
        let word = bare(words[at]).to_lowercase();
        VERBS.iter().find(|(du, sie)| word == if polite { *sie } else { *du })
    };
    let mut changed: Vec<Option<String>> = vec![None; words.len()];
    for (at, word) in words.iter().enumerate() {
        let pronoun = bare(word);
        // At the beginning `Sie` may as well be `sie`.
        let polite = pronoun == "Sie";
        if !polite && pronoun.to_lowercase() != "du" {
            continue;
        }
        let Some((place, (du, sie))) =
            beside(at).find_map(|place| verb(place, polite).map(|verb| (place, verb)))
        else {
            continue;
        };
        let (from, to) = if polite { (sie, du) } else { (du, sie) };
        changed[place] = Some(replaced(words[place], from, to));
        let address = if polite { "du" } else { "Sie" };
        changed[at] = Some(replaced(word, &pronoun.to_lowercase(), address));
    }
    if changed.iter().all(Option::is_none) {
        return None;
    }
    let formal = changed.iter().flatten().any(|word| word.contains("Sie"));
    let words = words.iter().zip(changed).map(|(word, changed)| {
        changed.unwrap_or_else(|| {
            let pronoun = bare(word);
            let other = PRONOUNS.iter().find_map(|(du, sie)| {
                let (from, to) = if formal { (du, sie) } else { (sie, du) };
                (pronoun == *from).then(|| word.replace(from, to))
            });
            other.unwrap_or_else(|| (*word).to_owned())
        })
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// `from` in a word, in any case, becomes `to`, with a capital letter where it had one.
fn replaced(word: &str, from: &str, to: &str) -> String {
    let start = word.find(char::is_alphabetic).unwrap_or(0);
    let capital = word[start..].starts_with(char::is_uppercase) && from != "sie";
    let lowered = word.to_lowercase();
    let mut letters = to.chars();
    let to: String = if capital {
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
    } else {
        to.to_owned()
    };
    lowered.replacen(from, &to, 1)
}
