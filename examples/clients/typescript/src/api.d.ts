// Generated from the OpenAPI document with the SHA-256 574bacd425b4e1c1a782ec2dd325104f2b2b33c252afb3c7f11625b0c13f66eb
// by `npm run generate`; not edited by hand.

export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive. */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The Model Context Protocol (streamable HTTP, without sessions): tools `search` and `fetch`. */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts and times for Prometheus, in the `OpenMetrics` text format; role `qa`. */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document. */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether questions can be answered, how far the index is until then, and whether the files on disk
         *     are what serves. Needs no key; a key shows more.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last runs of what the caller sees, and how far the one is that is going on; role `qa`. */
        get: operations["catalog_runs"];
        put?: never;
        /**
         * Starts a run over the whole catalog as the caller sees it, in the background; role `qa`. Where one
         *     is going on already, nothing is started.
         */
        post: operations["start_catalog_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A run with all questions and the difference to the run before it; role `qa`. */
        get: operations["catalog_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An answer in German sentences from the found sections only, with citations, in the form of OpenAI's
         *     chat API. Where no language model is configured or it fails, the best sections are quoted; a question
         *     without an answer in the compendium is refused with the nearest sections. With `stream`, events
         *     (`data: {…}`, at last `data: [DONE]`) hold pieces of the answer.
         */
        post: operations["completions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * As a search with `explain`: every hit says where its score comes from. With `section` it also says
         *     why that section is not the first hit, stage by stage, and which small change would make it so.
         */
        post: operations["explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keeps what a reader made of an answer, in the question log.
         * @description Nothing of who sends it is kept. It is not checked whether a question of this number was asked:
         *     what belongs to none is left out when the log is read.
         */
        post: operations["feedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is missing in the compendium as the caller sees it; role `editor`. The first to ask starts the
         *     work; until it is done the answer says how far it is.
         */
        get: operations["gaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/gaps/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds the questions of a finding to `live.yaml` in the folder of the catalog, as `wegweiser gaps
         *     promote` does: open, with `origin: live`; they are asked first, and what passes already is left out.
         *     Role `editor`, and the key must see all sections,
         *     for the catalog asks about all of them. What stands in the catalog in any spelling is not added
         *     again. The audit log keeps who did it. The finding is one of the report that was made last.
         */
        post: operations["promote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The one model: `wegweiser`. */
        get: operations["models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model by its name: `wegweiser`. */
        get: operations["model"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reads rules, compendium and keys again and answers once they serve; role `admin`. Questions go on
         *     being answered from what was loaded before, also where the files have problems.
         */
        post: operations["reload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/route": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Intent and groups of a question, without a search. */
        post: operations["route"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The shortcut rules with what they do to the catalog as the caller sees it; role `qa`. */
        get: operations["rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a pattern would match in the catalog as the caller sees it; role `qa`. Nothing is changed. */
        post: operations["try_pattern"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ranked sections with intent, groups and reasons. */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Up to 32 searches, answered in their order from one state of the files. Each counts as a request. */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One section. The `#` of the id is written `%23`. A section that the caller may not see is one
         *     that does not exist.
         */
        get: operations["section"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sections/{id}/sheet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about one section: its figures, questions, neighbours, words and findings; role
         *     `editor`. A section that the caller may not see is one that does not exist.
         */
        get: operations["sheet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What serves, and whether the files on disk do; role `qa`. What is wrong with them is told to keys
         *     of all audiences.
         */
        get: operations["status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A citation in the form of OpenAI's web search. */
        Annotation: {
            /** @description `url_citation`. */
            type: string;
            /** @description What is cited. */
            url_citation: components["schemas"]["UrlCitation"];
        };
        /** @description A routed and searched question. */
        Answer: {
            /**
             * @description Whether the compendium can answer the question; if not, the hits are only the nearest sections,
             *     or there are none. Absent from a route, and where one channel searched alone.
             */
            answerable?: boolean | null;
            /**
             * Format: double
             * @description Probability that the first hit is a right answer, 0 to 1; absent like `answerable`.
             */
            confidence?: number | null;
            /** @description What was not available for this answer, for example `vector` or `llm`. */
            degraded: string[];
            /** @description Customers, products and other things of `rules/taxonomy.yaml` that the question names. */
            facets?: components["schemas"]["Facet"][];
            /** @description Where to search: at most two groups, best first; empty without evidence. */
            groups: components["schemas"]["GroupAnswer"][];
            /** @description Sections, best first; absent from a route. */
            hits?: components["schemas"]["Hit"][] | null;
            /** @description How to search. */
            intent: components["schemas"]["IntentAnswer"];
            /** @description The line the question was embedded with; absent without evidence. */
            prefix?: string | null;
            /** @description The question as it was understood (composed, trimmed). */
            question: string;
            /**
             * @description Identifiers of the compendium that look like one of the question, as they are written there;
             *     apart from the ranking.
             */
            similar_identifiers?: string[];
            /** @description The reasons. */
            trace: components["schemas"]["Trace"];
            /** @description What was not taken as it was asked for. */
            warnings?: components["schemas"]["Warning"][];
        };
        /** @description The answers of a batch. */
        BatchAnswer: {
            /** @description One for each question, in their order. */
            answers: components["schemas"]["BatchEntry"][];
        };
        /** @description Body of `POST /v1/search/batch`. */
        BatchBody: {
            /** @description Searches, each as for `POST /v1/search`; all are answered from the same state of the files. */
            questions: components["schemas"]["SearchBody"][];
        };
        /** @description An answer, or what was wrong with the question. */
        BatchEntry: components["schemas"]["Answer"] | components["schemas"]["ProblemBody"];
        /** @description A change that makes the section the first hit. */
        Change: {
            /** @description What to write, in German. */
            german: string;
            /** @description What kind. */
            kind: components["schemas"]["ChangeKind"];
            /**
             * Format: double
             * @description Lead over the second hit with this change, on the scale of the scores.
             */
            lead: number;
            /** @description Where: the group, the word of the section, or the new heading. */
            target: string;
            /** @description The words to write. */
            words: string[];
        };
        /**
         * @description Kinds of changes.
         * @enum {string}
         */
        ChangeKind: "group_word" | "synonym" | "title_word";
        /** @description The channels of a [`Hit`]. */
        Channels: {
            lexical?: components["schemas"]["ChannelScore"] | null;
            vector?: components["schemas"]["ChannelScore"] | null;
        };
        /** @description Rank and raw score in one channel. */
        ChannelScore: {
            /** @description Rank in this channel, from 1. */
            rank: number;
            /**
             * Format: double
             * @description Raw score of this channel; not comparable with the other channel's.
             */
            score: number;
        };
        /** @description Body of `POST /v1/chat/completions`. Further fields of OpenAI's API are accepted and have no effect. */
        ChatBody: {
            /** @description The last message with the role `user` is the question; the others are ignored. */
            messages: components["schemas"]["MessageBody"][];
            /**
             * @description `wegweiser`.
             * @example wegweiser
             */
            model?: string | null;
            /** @description Whether the answer comes piece by piece as server-sent events. */
            stream?: boolean | null;
            stream_options?: components["schemas"]["StreamOptions"] | null;
        };
        /** @description A text, and what it cites. */
        ChatMessage: {
            /** @description The cited sections. */
            annotations?: components["schemas"]["Annotation"][] | null;
            /** @description German Markdown with citations like `[1]`. */
            content?: string | null;
            /** @description `assistant`; absent from later pieces of a stream. */
            role?: string | null;
        };
        /** @description The answer. */
        Choice: {
            delta?: components["schemas"]["ChatMessage"] | null;
            /** @description `stop`, or `length` where the model did not come to its end; null before the end of a stream. */
            finish_reason?: string | null;
            /**
             * Format: int32
             * @description 0.
             */
            index: number;
            /** @default null */
            logprobs: unknown;
            message?: components["schemas"]["ChatMessage"] | null;
        };
        /** @description An answer, or with `object: "chat.completion.chunk"` a piece of one. */
        Completion: {
            /** @description One; none in the event with the usage. */
            choices: components["schemas"]["Choice"][];
            /**
             * Format: int64
             * @description Seconds since 1970.
             */
            created: number;
            /** @description Different for every request. */
            id: string;
            /** @description `wegweiser`. */
            model: string;
            /** @description `chat.completion` or `chat.completion.chunk`. */
            object: string;
            usage?: components["schemas"]["Usage"] | null;
            wegweiser?: components["schemas"]["Details"] | null;
        };
        /** @description Text of a message. */
        ContentBody: string | components["schemas"]["PartBody"][];
        /** @description What OpenAI's API has no place for. */
        Details: {
            /** @description As in a search. */
            answerable?: boolean | null;
            /** @description `llm`, `quotation` (no model, or its answer did not hold), or `refusal`. */
            author: string;
            /**
             * Format: double
             * @description As in a search.
             */
            confidence?: number | null;
            /** @description What was not available, as in a search. */
            degraded: string[];
            /** @description The cited sections; for a refusal the nearest ones. */
            sources: components["schemas"]["SourceBody"][];
        };
        /** @description What speaks for the first hit, in figures that mean the same in every compendium. */
        Evidence: {
            /**
             * Format: double
             * @description Channels that found the section first: 0, 1 or 2.
             */
            first_in: number;
            /**
             * Format: double
             * @description What words and phrases of the question paid for the section's group.
             */
            group: number;
            /**
             * Format: double
             * @description 1 where the question names an identifier of the section, −1 where it names one that no section
             *     has, else 0.
             */
            identifier: number;
            /**
             * Format: double
             * @description Share of the question's words that any section speaks of, 0 to 1.
             */
            known_words: number;
            /**
             * Format: double
             * @description Standard deviations by which the cosine lies above those of the sections behind the first ten.
             */
            lead: number;
            /**
             * Format: double
             * @description Standard deviations by which the BM25 score lies above those of the sections behind the first ten.
             */
            lexical: number;
            /**
             * Format: double
             * @description Standard deviations by which the plain cosine lies above that of questions that have nothing
             *     to do with the compendium.
             */
            meaning: number;
            /**
             * Format: double
             * @description Probability that the question is none the compendium could be asked (small talk, nonsense).
             */
            small_talk: number;
            /**
             * Format: double
             * @description Standard deviations by which the best section stands out above the best sections of such
             *     questions, each section measured against its own cosines with them.
             */
            standing: number;
            /**
             * Format: double
             * @description Share of the question's words that the section speaks of, weighed by their rarity, 0 to 1.
             */
            words: number;
        };
        /** @description Body of `POST /v1/explain`: that of a search, and a section to ask about. */
        ExplainBody: {
            /**
             * @description Whether small changes are tried that would make the section the first hit, which takes longer;
             *     yes where it is left out.
             */
            changes?: boolean | null;
            /** @description Accepted for symmetry with a search; an explanation always explains. */
            explain?: boolean;
            /** @description Which sections may be found at all. */
            filters?: components["schemas"]["FilterBody"];
            /** @description How many hits, 1 to 100; without it the intent's profile decides. */
            k?: number | null;
            /**
             * Format: double
             * @description Hits with a lower score are left out, 0 to 1; the scale is the same in all modes.
             */
            min_score?: number | null;
            /** @description Which channels search. */
            mode?: components["schemas"]["Mode"];
            /**
             * @description A German question; at most 2,000 characters unless configured otherwise.
             * @example Welchen Nutzen hat verteiltes Lernen?
             */
            question: string;
            /**
             * @description The section that should have been first; the answer then has `why_not`. For the role `qa` and
             *     above.
             * @example wirkung-und-entwicklung#nutzen-des-verteilten-lernens
             */
            section?: string | null;
        };
        /** @description Body of an explanation. */
        ExplainedAnswer: components["schemas"]["Answer"] & {
            why_not?: components["schemas"]["WhyNot"] | null;
        };
        /** @description Where the score of a [`Hit`] comes from. */
        Explanation: {
            /**
             * Format: double
             * @description The same of the BM25 score.
             */
            lexical_evidence?: number | null;
            /** @description What each field and term gave to the BM25 score, most first; they add up to it. */
            terms: components["schemas"]["TermScore"][];
            /**
             * Format: double
             * @description Standard deviations by which the cosine lies above that of sections that have nothing to do
             *     with the question; at least 0.
             */
            vector_evidence?: number | null;
        };
        /** @description Something of the house's own vocabulary that a question names. */
        Facet: {
            /** @description Name of the facet, for example `kunde`. */
            facet: string;
            /** @description Id in `rules/taxonomy.yaml`; sections carry it in their facets. */
            id: string;
            /** @description For people. */
            label: string;
        };
        /**
         * @description What a customer or product that a question names does to the search.
         * @enum {string}
         */
        FacetMode: "filter" | "boost" | "off";
        /** @description Body of `POST /v1/feedback`. */
        FeedbackBody: {
            /** @description Whether it helped, or that it was opened. */
            rating: components["schemas"]["Rating"];
            /**
             * @description The header `X-Request-Id` of the answer, at most 64 printable characters; of a batch with `/`
             *     and the place of the question, from 1.
             * @example 1-17
             */
            request_id: string;
            /**
             * @description The section that is meant; left out, the answer as a whole is.
             * @example wirkung-und-entwicklung#nutzen-des-verteilten-lernens
             */
            section?: string | null;
        };
        /**
         * @description Which sections may be found. Several values of one filter are alternatives. A group, facet or
         *     document that no section has is an error; an audience that no section names is a warning.
         */
        FilterBody: {
            /** @description Audiences; sections that name none are for everybody. */
            audience?: components["schemas"]["OneOrMany"];
            /** @description Documents: the part of the section id before the `#`. */
            document?: components["schemas"]["OneOrMany"];
            /** @description Facets by name; a section must satisfy each. */
            facets?: {
                [key: string]: components["schemas"]["OneOrMany"];
            };
            /** @description Semantic groups. */
            group?: components["schemas"]["OneOrMany"];
        };
        /** @description How the channels were weighed. */
        FusionTrace: {
            /**
             * Format: double
             * @description Weight of the lexical channel after its evidence, 0 to 1.
             */
            lexical: number;
            /** @description `linear`, `min-max`, `z-score` or `rrf`. */
            method: string;
            /**
             * Format: double
             * @description Share of the prefixed vectors in the vector score, 0 (plain only) to 1.
             */
            prefix_share: number;
            /**
             * Format: double
             * @description Weight of the vector channel after its evidence, 0 to 1.
             */
            vector: number;
        };
        /** @description Answer to `GET /v1/gaps`. */
        GapsBody: {
            /** @description What the codes of findings mean, in German. */
            codes: {
                [key: string]: string;
            };
            /** @description What is wrong, most impact first; with the other members as `wegweiser gaps --format json`. */
            findings: Record<string, never>[];
            /** @description What became of the question log. */
            live: components["schemas"]["LiveBody"];
            /** @description Every section as a point; near means alike. */
            map: Record<string, never>[];
            /**
             * @description By the id of a finding, what `POST /v1/gaps/promote` would do; only for keys that see all
             *     sections, and only where a finding holds questions.
             */
            tickets: {
                [key: string]: components["schemas"]["TicketBody"];
            };
            /** @description The day that ages are counted from. */
            today: string;
        };
        /** @description A group of an [`Answer`]. */
        GroupAnswer: {
            /** @description Group id. */
            id: string;
            /**
             * Format: double
             * @description Sum of words, phrases and bias.
             */
            score: number;
        };
        /** @description A group with its payments. */
        GroupTrace: {
            /** @description Group id. */
            id: string;
            /** @description Words, phrases, bias. */
            paid: components["schemas"]["Payment"][];
            /**
             * Format: double
             * @description Sum of the payments.
             */
            score: number;
        };
        /** @description One found section. */
        Hit: {
            /** @description What each channel said of this section; a channel that did not find it is absent. */
            channels: components["schemas"]["Channels"];
            explanation?: components["schemas"]["Explanation"] | null;
            /** @description Facets of the section, by name. */
            facets?: {
                [key: string]: string[];
            };
            /** @description The thing of a comparison that it was found for; absent where the whole question found it. */
            found_for?: string | null;
            /** @description Semantic group of the section. */
            group?: string | null;
            /** @description Section id. */
            id: string;
            /**
             * @description Sections right before and after it in its document, where the intent's profile asks for
             *     them: steps often continue there.
             */
            neighbours?: components["schemas"]["Neighbour"][];
            /** @description Headings above it. */
            path: string[];
            /** @description 1 is best. */
            rank: number;
            /**
             * Format: double
             * @description Fused score, 0 to 1 on one scale in all modes. Where a question asks several things, the best
             *     hits of each take turns, and no hit shows more than the one above it.
             */
            score: number;
            /** @description An excerpt; matching words stand between `<mark>` and `</mark>`, everything else is HTML-escaped. */
            snippet: string;
            /** @description Heading. */
            title: string;
        };
        /** @description The intent part of an [`Answer`]. */
        IntentAnswer: {
            /** @description Further intents of a multi-part question. */
            also?: string[];
            /**
             * Format: double
             * @description Probability that `id` is right, 0 to 1: calibrated where the classifier decided, 1 for a rule
             *     or llama3. For `unknown` it is the probability that the text is no question of any intent, 0
             *     where nobody could judge it.
             */
            confidence: number;
            /** @description Intent id, or `unknown`. */
            id: string;
            /** @description The winning shortcut rule. */
            rule?: string | null;
            /** @description Who decided. */
            source: components["schemas"]["Source"];
        };
        /** @description An intent that the classifier considered. */
        IntentGuess: {
            /**
             * Format: double
             * @description 0 to 1.
             */
            confidence: number;
            /** @description Intent id. */
            id: string;
        };
        /** @description A thing that a question compares with another one. */
        ItemTrace: {
            /** @description Its groups, best first. */
            groups: string[];
            /** @description Its name, as it is searched for. */
            question: string;
        };
        /** @description The question log in the report. */
        LiveBody: {
            log?: components["schemas"]["LogBody"] | null;
            /** @description `read`; `off`: there is no log; `failed`: the log of the service says why. */
            state: string;
        };
        /** @description llama3 behind Ollama. */
        LlmBody: {
            /**
             * Format: int64
             * @description Questions that it was asked.
             */
            asked: number;
            /**
             * Format: int64
             * @description Of them those that it decided, now or before.
             */
            decided: number;
            /**
             * Format: int64
             * @description Of them those that failed otherwise.
             */
            failed: number;
            /**
             * Format: int64
             * @description Of them those that it was too slow for, too busy for, or not ready for.
             */
            late: number;
            /** @description Model and address. */
            name: string;
            /** @description Whether it answers as fast as questions need it. */
            ready: boolean;
        };
        /** @description What a log holds; its findings are `G-UNANSWERED`, `G-BAD-ANSWER` and `G-WITHHELD`. */
        LogBody: {
            /** @description Lines that could not be read. */
            damaged: number;
            /**
             * Format: int64
             * @description Records that the log lost.
             */
            dropped: number;
            /** @description Of them answered badly. */
            failed: number;
            /** @description Of these: wordings too rare to be looked at in so large a log. */
            left_out: number;
            /** @description Of these: answered but for a slip of the pen. */
            misspelt: number;
            /** @description Questions in it, of those whose askers see no more than the caller. */
            questions: number;
            /** @description When it was read. */
            read: string;
            /** @description Of these: alone with their topic. */
            single: number;
            /** @description Of these: answered by now. */
            solved: number;
            /** @description Of these: answered by a section that their askers may not see. */
            withheld: number;
        };
        /** @description What ties an answer to its request. */
        McpId: number | string;
        /** @description Answer of JSON-RPC 2.0: a result or an error. */
        McpReply: {
            /** @description What went wrong: `code` and `message`. */
            error?: Record<string, never>;
            id: components["schemas"]["McpId"] | null;
            /**
             * @description Always `2.0`.
             * @example 2.0
             */
            jsonrpc: string;
            /** @description What the method gives. */
            result?: Record<string, never>;
        };
        /** @description Body of `POST /mcp`: a request or notification of JSON-RPC 2.0. */
        McpRequest: {
            /** @description A number or a text; absent from a notification. */
            id?: components["schemas"]["McpId"];
            /**
             * @description Always `2.0`.
             * @example 2.0
             */
            jsonrpc: string;
            /**
             * @description What is wanted.
             * @example tools/list
             */
            method: string;
            /** @description What belongs to the method, for example `name` and `arguments` to `tools/call`. */
            params?: Record<string, never>;
        };
        /** @description A message of a conversation. */
        MessageBody: {
            content?: components["schemas"]["ContentBody"] | null;
            /**
             * @description `user`, `system`, `assistant`, …
             * @example user
             */
            role: string;
        };
        /**
         * @description Which channels search.
         * @enum {string}
         */
        Mode: "hybrid" | "vector" | "lexical";
        /** @description A model. */
        Model: {
            /**
             * Format: int64
             * @description Always 0: it is made of files that change.
             */
            created: number;
            /** @description `wegweiser`. */
            id: string;
            /** @description `model`. */
            object: string;
            /** @description `wegweiser`. */
            owned_by: string;
        };
        /** @description The embedding model. */
        ModelBody: {
            /** @description SHA-256 of what decides its vectors. */
            digest: string;
            /** @description Numbers in a vector. */
            dimension: number;
            /** @description Its name. */
            name: string;
        };
        /** @description Answer of `GET /v1/models`. */
        Models: {
            /** @description One. */
            data: components["schemas"]["Model"][];
            /** @description `list`. */
            object: string;
        };
        /** @description A section beside a hit. */
        Neighbour: {
            /** @description Section id. */
            id: string;
            /** @description Heading. */
            title: string;
        };
        /** @description A value or a list of values. */
        OneOrMany: string | string[];
        /** @description Part of a message. */
        PartBody: {
            /** @description The text. */
            text?: string | null;
            /** @description `text`; others are ignored. */
            type?: string | null;
        };
        /** @description One of several questions that were asked at once. It is searched for itself and beside the whole. */
        PartTrace: {
            /** @description Its groups, best first. */
            groups: string[];
            /** @description Its intent. */
            intent: components["schemas"]["IntentAnswer"];
            /** @description The part, in the words of the question. */
            question: string;
        };
        /** @description One reason for a group's score. */
        Payment: {
            /**
             * Format: double
             * @description How much; a negated word pays nothing and is listed with 0.
             */
            amount: number;
            /** @description The passage of the question, as `[start, end)` in Unicode scalar values; absent for a bias. */
            at?: number[] | null;
            /** @description What paid. */
            reason: components["schemas"]["Reason"];
            /** @description The listed word or phrase, or the intent. */
            what: string;
        };
        /** @description Body of an error (RFC 9457). */
        ProblemBody: {
            /** @description Stable code, for example `question_empty`. */
            code: string;
            /** @description What went wrong and what to do, in English. */
            detail: string;
            /** @description The same in German. */
            detail_de: string;
            /** @description What to mend in the files, where they can not be loaded. */
            problems?: components["schemas"]["ProblemNote"][];
            /**
             * Format: int32
             * @description HTTP status.
             */
            status: number;
            /** @description Name of the status. */
            title: string;
            /** @description Always `about:blank`: `code` tells the kind. */
            type: string;
        };
        /** @description Something to mend in a file. */
        ProblemNote: {
            /** @description Stable code. */
            code: string;
            /** @description What to write instead. */
            mend: string;
            /** @description What is wrong. */
            message: string;
            /** @description `file:line:column`. */
            place: string;
        };
        /** @description How far a piece of work is, as it is told. */
        ProgressBody: {
            /** @description Questions asked so far. */
            done: number;
            /** @description Questions to ask; 0 while that is not known. */
            total: number;
            /** @description Whether other work is before it: a run of the catalog, or another report. */
            waiting: boolean;
        };
        /** @description Body of `POST /v1/gaps/promote`. */
        PromoteBody: {
            /**
             * @description Id of a finding of `GET /v1/gaps`.
             * @example G-UNANSWERED:Legasthenie
             */
            finding: string;
        };
        /** @description What was written. */
        PromotedBody: {
            /** @description The file of the catalog that has the questions. */
            file: string;
            /** @description Id of the finding. */
            finding: string;
            /** @description Ids of the questions that were added and are refused as they should be: they guard that. */
            guarding: string[];
            /** @description Questions of the finding that stood in the catalog already, in this file or another one. */
            known: number;
            /**
             * @description Ids of the questions that were added and are open: they fail until somebody writes what is
             *     missing.
             */
            opened: string[];
            /** @description Questions that were not added, because they pass as the compendium stands. */
            passing: string[];
        };
        /**
         * @description What a reader made of an answer, or of one of its sections.
         * @enum {string}
         */
        Rating: "helpful" | "unhelpful" | "clicked";
        /** @description Body of `GET /readyz`. */
        ReadyBody: {
            /** @description Passages embedded so far, while building. */
            done?: number | null;
            /** @description What to mend in the files, for keys of all audiences with the role `qa` and above. */
            problems?: components["schemas"]["ProblemNote"][];
            /** @description `failed` where the files on disk can not be loaded and an older state answers; else absent. */
            reload?: string | null;
            /** @description Sections that the caller may see; absent for callers who are not let in. */
            sections?: number | null;
            /** @description `starting`, `building` or `ready`. */
            status: string;
            /** @description Passages to embed, while building. */
            total?: number | null;
        };
        /**
         * @description What kind of evidence pays into a group.
         * @enum {string}
         */
        Reason: "word" | "phrase" | "bias" | "negated";
        /** @description Body of the answer to `POST /v1/reload`. */
        ReloadBody: {
            /** @description Sections that serve now, as far as the caller may see them. */
            sections: number;
        };
        /** @description Body of `POST /v1/route`. */
        RouteBody: {
            /** @description Accepted for symmetry with a search; a route always explains itself. */
            explain?: boolean;
            /**
             * @description A German question; at most 2,000 characters unless configured otherwise.
             * @example Welchen Nutzen hat verteiltes Lernen?
             */
            question: string;
        };
        /** @description A shortcut rule with what it does to the catalog. */
        RuleBody: {
            /** @description Rule id. */
            id: string;
            /** @description The intent that it decides. */
            intent: string;
            /** @description Questions that it matches, but a rule of higher priority decides. */
            lost: number;
            /** @description The rules that decided in its place, with how many questions. */
            lost_to?: {
                [key: string]: number;
            };
            /** @description Regular expression over the normalised question. */
            pattern: string;
            /** @description `file:line:column`. */
            place: string;
            /**
             * Format: int32
             * @description The highest wins.
             */
            priority: number;
            /** @description Why it is there. */
            reason: string;
            /** @description `core` or `full`: which view of the question it reads. */
            scope: string;
            /** @description Whether it matches questions and decides none: others always come first. */
            shadowed: boolean;
            /** @description What calls it off. */
            unless?: string | null;
            /** @description Questions that it matches, but its `unless` calls it off. */
            vetoed: number;
            /** @description Questions that it decides. */
            won: number;
        };
        /** @description Answer to `GET /v1/rules`. */
        RulesBody: {
            /** @description Of them those that a rule decides. */
            decided: number;
            /** @description Questions of the catalog that were put to the rules. */
            questions: number;
            /** @description All rules in the order of the file. */
            rules: components["schemas"]["RuleBody"][];
        };
        /** @description A shortcut rule that matched. */
        RuleTrace: {
            /** @description Rule id. */
            id: string;
            /** @description Its intent. */
            intent: string;
            /** @description The matching passage of the normalised question. */
            matched: string;
            /** @description `won`, `lost`, or `vetoed` by its `unless`. */
            outcome: string;
            /** @description `file:line:column`. */
            place: string;
            /**
             * Format: int32
             * @description Its priority; the highest wins.
             */
            priority: number;
        };
        /** @description A run with its questions. */
        RunBody: {
            /** @description When the run ended that it is compared with. */
            compared_with?: string | null;
            /** @description What turned since that run, as `wegweiser catalog diff --format json`; `null` for a first run. */
            diff?: Record<string, never> | null;
            /** @description When it ended, RFC 3339 in UTC. */
            finished: string;
            /** @description Its id. */
            id: string;
            /** @description `questions` of `wegweiser catalog run --format json`. */
            questions: Record<string, never>[];
            /** @description Its figures: `summary` of `wegweiser catalog run --format json`. */
            summary: Record<string, never>;
        };
        /** @description A run in a list. */
        RunHead: {
            /** @description When it ended, RFC 3339 in UTC. */
            finished: string;
            /** @description Its id. */
            id: string;
            /** @description Its figures: `summary` of `wegweiser catalog run --format json`. */
            summary: Record<string, never>;
        };
        /** @description Answer to `GET /v1/catalog/runs`. */
        RunsBody: {
            /** @description What the codes of questions mean, in German. */
            codes: {
                [key: string]: string;
            };
            /** @description Why the last one that was started came to nothing, in English; absent where it did not. */
            failed?: string | null;
            /** @description Questions that a run would ask. */
            questions: number;
            running: components["schemas"]["ProgressBody"] | null;
            /** @description The runs that are kept, newest first. */
            runs: components["schemas"]["RunHead"][];
        };
        /** @description Body of `POST /v1/search`. */
        SearchBody: {
            /** @description Whether every hit says where its score comes from. */
            explain?: boolean;
            facet_mode?: components["schemas"]["FacetMode"] | null;
            /** @description Which sections may be found at all. */
            filters?: components["schemas"]["FilterBody"];
            /** @description How many hits, 1 to 100; without it the intent's profile decides. */
            k?: number | null;
            /**
             * Format: double
             * @description Hits with a lower score are left out, 0 to 1; the scale is the same in all modes.
             */
            min_score?: number | null;
            /** @description Which channels search. */
            mode?: components["schemas"]["Mode"];
            /**
             * @description A German question; at most 2,000 characters unless configured otherwise.
             * @example Welchen Nutzen hat verteiltes Lernen?
             */
            question: string;
        };
        /** @description A section as `GET /v1/sections/{id}` shows it. */
        SectionBody: {
            /** @description Facets by name. */
            facets: {
                [key: string]: string[];
            };
            /** @description Semantic group. */
            group?: string | null;
            /** @description Section id. */
            id: string;
            /** @description Headings above it. */
            path: string[];
            /** @description `file:line:column` of the heading, for the role `qa` and above: lines tell what stands between. */
            place?: string | null;
            /** @description Plain text; paragraphs are parted by an empty line. */
            text: string;
            /** @description Heading. */
            title: string;
            /** @description Day of the last revision. */
            updated?: string | null;
        };
        /**
         * @description Who decided an intent.
         * @enum {string}
         */
        Source: "rule" | "llm" | "classifier" | "default";
        /** @description A cited section. */
        SourceBody: {
            /** @description Section id. */
            id: string;
            /** @description Its number in the text. */
            number: number;
            /** @description Heading. */
            title: string;
            /** @description Where to read it. */
            url: string;
        };
        /**
         * @description A stage of the pipeline that may go against a section.
         * @enum {string}
         */
        Stage: "filter" | "rule" | "intent" | "group" | "vector" | "lexical" | "fusion";
        /** @description What a stage did to the section. */
        StageVerdict: {
            /** @description Whether it went against the section. */
            against: boolean;
            /** @description Stable code, for example `group_other_chosen`. */
            code: string;
            /** @description The same in German, with the figures. */
            german: string;
            /** @description Rank of the section if the stage had spoken for it; absent where that can not be said. */
            rank_otherwise?: number | null;
            /** @description Which stage. */
            stage: components["schemas"]["Stage"];
        };
        /** @description Answer to `GET /v1/status`. */
        StatusBody: {
            /** @description Groups that have sections. */
            groups: number;
            /** @description Intents. */
            intents: number;
            llm: components["schemas"]["LlmBody"] | null;
            /** @description The embedding model. */
            model: components["schemas"]["ModelBody"];
            /**
             * @description What to mend in the files; empty for keys that may not see all audiences, since it may name
             *     sections of any.
             */
            problems: components["schemas"]["ProblemNote"][];
            /** @description Questions of the catalog that the caller may see. */
            questions: number;
            /** @description `failed` where the files on disk can not be loaded and an older state answers; else absent. */
            reload?: string | null;
            /** @description Shortcut rules. */
            rules: number;
            /** @description Questions that are worked on now. */
            running: number;
            /** @description Sections that the caller may see. */
            sections: number;
            /**
             * Format: int64
             * @description Since the process started.
             */
            uptime_seconds: number;
            /** @description Version of Wegweiser. */
            version: string;
            /** @description Questions that wait now. */
            waiting: number;
        };
        /** @description What a stream tells besides. */
        StreamOptions: {
            /** @description Whether the last event before `[DONE]` holds the usage. */
            include_usage?: boolean | null;
        };
        /** @description What one term gave to a BM25 score. */
        TermScore: {
            /** @description Field of the lexical index. */
            field: string;
            /**
             * Format: float
             * @description Its share.
             */
            score: number;
            /** @description Stem, word or identifier; for `grams` the word of the question that they come from. */
            term: string;
        };
        /** @description Questions of a finding that can be promoted. */
        TicketBody: {
            /** @description Questions that stand there already. */
            known: number;
            /** @description Questions that would be added to the catalog. */
            new: number;
        };
        /** @description The reasons for an answer. Times are not here: equal questions give equal bodies. */
        Trace: {
            /** @description What the classifier thought, best first; empty where a rule decided. */
            classifier?: components["schemas"]["IntentGuess"][];
            /** @description The core of the question that the rules saw. */
            core: string;
            evidence?: components["schemas"]["Evidence"] | null;
            fusion?: components["schemas"]["FusionTrace"] | null;
            /** @description All groups with what was paid into them, best first. */
            groups: components["schemas"]["GroupTrace"][];
            /**
             * @description The things that a comparison compares. Each is searched for itself beside the whole question,
             *     and the best section of each stands behind the best of the whole.
             */
            items?: components["schemas"]["ItemTrace"][];
            /** @description Things worth knowing, in English, for example why a step fell back. */
            notes?: string[];
            /** @description The questions in a question that asks several at once, in their order. */
            parts?: components["schemas"]["PartTrace"][];
            /** @description Retrieval profile in force. */
            profile: string;
            /** @description Rules that matched: the winner first, then those that lost or were vetoed. */
            rules: components["schemas"]["RuleTrace"][];
        };
        /** @description What a pattern does to the catalog. */
        TriedBody: {
            /** @description Questions that it matches and `unless` does not call off. */
            matched: number;
            /** @description The first 200 that it matches. */
            matches: components["schemas"]["TriedMatch"][];
            /** @description Questions of the catalog. */
            questions: number;
            /** @description Questions that it matches and `unless` calls off. */
            vetoed: number;
        };
        /** @description A question that a pattern matches. */
        TriedMatch: {
            /** @description The intent that a rule decides now; `null` where none does. */
            decided: string | null;
            /** @description The intent that the catalog expects; `null` where it says nothing. */
            expected: string | null;
            /** @description Id in the catalog. */
            id: string;
            /** @description What of that it matches. */
            matched: string;
            /** @description The question. */
            question: string;
            /** @description What the pattern reads of it. */
            read: string;
            /** @description The rule that decides now. */
            rule: string | null;
        };
        /**
         * @description Which view of a question a pattern reads.
         * @enum {string}
         */
        TriedScope: "core" | "full";
        /** @description Body of `POST /v1/rules/try`. */
        TryBody: {
            /**
             * @description A regular expression as in `rules/shortcuts.yaml`, over the question in lower case with `ae`
             *     for `ä`; at most 2,000 characters.
             * @example \b(nutzen|vorteile?)\b
             */
            pattern: string;
            /** @description Which view of the question is read: its core, or all of it. */
            scope?: components["schemas"]["TriedScope"];
            /** @description What calls it off; empty for nothing. */
            unless?: string | null;
        };
        /** @description A cited section. */
        UrlCitation: {
            /** @description The character behind it. */
            end_index: number;
            /** @description Where its number first stands in the text: first character. */
            start_index: number;
            /** @description Heading. */
            title: string;
            /** @description Where to read it. */
            url: string;
        };
        /** @description Tokens of the language model. */
        Usage: {
            /**
             * Format: int64
             * @description Written.
             */
            completion_tokens: number;
            /**
             * Format: int64
             * @description Read.
             */
            prompt_tokens: number;
            /**
             * Format: int64
             * @description Both.
             */
            total_tokens: number;
        };
        /** @description Something in a request that has no effect. */
        Warning: {
            /** @description Stable code: `audience_unknown` where no section is for an audience of the filter. */
            code: string;
            /** @description The value of the request. */
            value: string;
        };
        /** @description Why a section is not the first hit of a question. */
        WhyNot: {
            against?: components["schemas"]["Stage"] | null;
            /**
             * @description Changes that make it the first hit, the smallest first; each was tried on a copy. Empty where
             *     it is the first already, and where none of the small changes works.
             */
            changes: components["schemas"]["Change"][];
            /** @description The first hit; absent where nothing is found. */
            first?: string | null;
            /** @description All of it in German. */
            german: string;
            /** @description Its rank in the answer; absent where it is not among the first hundred. */
            rank?: number | null;
            /** @description Id of the section. */
            section: string;
            /** @description The stages in their order. */
            stages: components["schemas"]["StageVerdict"][];
            /** @description Its heading. */
            title: string;
            /** @description Changes that were tried. */
            tried: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["McpRequest"];
            };
        };
        responses: {
            /** @description The answer to a request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpReply"];
                };
            };
            /** @description A notification was taken */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No message of JSON-RPC 2.0, or `invalid_json`: the body broke off */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpReply"];
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All metrics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/openmetrics-text": string;
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description Starting or building */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyBody"];
                };
            };
        };
    };
    catalog_runs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    start_catalog_run: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is going on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `catalog_empty` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    catalog_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `run_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    completions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatBody"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Completion"];
                    "text/event-stream": string;
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `model_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    explain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"];
            };
        };
        responses: {
            /** @description Ranked sections, and where their scores come from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedAnswer"];
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `section_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    feedback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackBody"];
            };
        };
        responses: {
            /** @description Handed over to the log */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `section_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `query_log_off` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    gaps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GapsBody"];
                };
            };
            /** @description It is being made; ask again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    promote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoteBody"];
            };
        };
        responses: {
            /** @description The questions stand in the catalog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromotedBody"];
                };
            };
            /** @description Nothing was written: the report is being made; ask again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressBody"];
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `finding_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `finding_without_question`, `catalog_invalid`, `catalog_unwritable` */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Models"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the model */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Model"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `model_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    reload: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files serve */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReloadBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `files_invalid`: what was loaded before goes on serving */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    route: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RouteBody"];
            };
        };
        responses: {
            /** @description How and where to search */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All rules */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    try_pattern: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryBody"];
            };
        };
        responses: {
            /** @description What it matches */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriedBody"];
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchBody"];
            };
        };
        responses: {
            /** @description Ranked sections and the reasons */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answer"];
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    batch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchBody"];
            };
        };
        responses: {
            /** @description An answer or a problem for each question */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchAnswer"];
                };
            };
            /** @description `question_empty`, `invalid_json` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /**
             * @description `role_too_low`, `not_local`, at `/mcp` `origin_foreign`, and where files are written
             *     `audiences_too_few`
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `body_too_slow` */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `question_too_long`, `body_too_large` */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `invalid_body`, `filter_unknown` */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `too_slow`, `no_channel`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    section: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Section id, `#` as `%23` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The section */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SectionBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `section_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    sheet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Section id, `#` as `%23` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As `wegweiser gaps --section ID --format json` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The report is being made; ask again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `section_unknown` */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
    status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What serves */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusBody"];
                };
            };
            /** @description `key_missing`, `key_invalid` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `role_too_low`, `not_local` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `method_not_allowed` */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_acceptable` */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `rate_limited`; try again after `Retry-After` seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
            /** @description `not_ready`, `busy`, `storage_failed`; try again after `Retry-After` seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemBody"];
                };
            };
        };
    };
}
