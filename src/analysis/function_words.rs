//! Words that ask and join, but name nothing.
//!
//! They stay in the index and in the question (see the module's table). This list only decides
//! whether a question names anything at all, which words a snippet marks, and which words are worth
//! their n-grams.

use std::collections::HashSet;
use std::sync::LazyLock;

const WORDS: &str = "
    ab aber alle allem allen aller alles als also am an andere anderen anderer auch auf aus
    bei beim bin bis bist bitte da dabei dadurch dafuer dagegen daher damit danach dann daran darauf
    daraus darf darfst darin darueber darum das dass davon dazu dein deine deinem deinen deiner dem
    den denen denn der deren des dessen deshalb dich die dies diese diesem diesen dieser dieses dir
    doch dort du duerfen durch eben ein eine einem einen einer eines einige einigen er es etwa etwas
    euch euer eure fuer gab gar geben geht gehen gegen gewesen gibt gilt ging habe haben hallo hat
    hast hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins
    irgendwie irgendwo ist ja je jede jedem jeden jeder jedes jemand jene jetzt kann kannst kein
    keine keinem keinen keiner koennen koennte koennten lassen laesst los mach mache machen macht
    mal man manche mehr mein meine meinem meinen meiner mich mir mit moechte moegen muessen muss
    musst nach ne nein nicht nichts noch nun nur ob oder ohne schon sehr sei seid sein seine seinem
    seinen seiner seit sich sie sind so soll sollen sollte sollten sondern sonst ueber um und uns
    unser unsere unserem unseren unter viel viele vom von vor waere wann war waren warum was wegen
    weil welche welchem welchen welcher welches wem wen wenn wer werde werden weshalb wessen wie
    wieder wieso wieviel will willst wir wird wirst wo wobei wodurch wofuer wogegen woher wohin
    wollen womit woran worauf woraus worin worueber worum wovon wozu wuerde wuerden wurde wurden zu
    zum zur zwar zwischen";

static FUNCTION_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| WORDS.split_whitespace().collect());

/// Whether a folded word only serves others: articles, pronouns, particles, question words,
/// auxiliary verbs and the colourless `gehen`, `machen`, `geben`.
pub fn is_function_word(folded: &str) -> bool {
    FUNCTION_WORDS.contains(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_something_are_not_listed() {
        for word in ["frage", "zeit", "lernen", "iban", "ende", "antrag", "2024"] {
            assert!(!is_function_word(word), "{word}");
        }
        assert!(["wie", "geht", "das"].iter().all(|word| is_function_word(word)));
    }

    #[test]
    fn the_list_is_folded() {
        for word in WORDS.split_whitespace() {
            assert_eq!(crate::analysis::fold(word), word);
        }
    }
}
