package dev.equipoise.testing.language;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds British spellings, word by word, and spells them in American English. */
final class Spelling {

    /**
     * Names of the API, of stored codes, of properties, HTML and libraries, which keep their form.
     */
    private static final Set<String> KEPT =
            Set.of(
                    "ageing",
                    "normalisation",
                    "standardisation",
                    "CANCELLED",
                    "CancelledError",
                    "CancelledKeyException",
                    "Optimisation",
                    "customise",
                    "labelledby",
                    "minimise");

    /** Names in capitals or of Java, which sentences may use without backticks. */
    private static final Set<String> KEPT_IN_SENTENCES =
            Set.of("CANCELLED", "CancelledKeyException");

    private static final Pattern WORDS =
            Pattern.compile(
                    "(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=_)(?=.)|(?<=.)(?=_)");

    private static final Pattern ISE =
            Pattern.compile(
                    "(amort|anonym|author|canonical|categor|central|character|custom|discret|emphas"
                            + "|equal|factor|final|general|initial|linear|local|material|maxim"
                            + "|memor|minim|normal|optim|organ|parallel|penal|priorit|quant"
                            + "|random|real|recogn|regular|sanit|serial|special|stabil|standard"
                            + "|summar|synchron|token|util|vector|visual)is(?=e|ing|ation|able)");

    private static final List<String> PAIRS =
            List.of(
                    "ageing aging",
                    "analysed analyzed",
                    "analyser analyzer",
                    "analysing analyzing",
                    "artefact artifact",
                    "behaviour behavior",
                    "cancelled canceled",
                    "cancelling canceling",
                    "catalogue catalog",
                    "centred centered",
                    "centre center",
                    "channelled channeled",
                    "colour color",
                    "defence defense",
                    "favour favor",
                    "fulfilment fulfillment",
                    "grey gray",
                    "honour honor",
                    "labelled labeled",
                    "labelling labeling",
                    "learnt learned",
                    "levelled leveled",
                    "licence license",
                    "modelled modeled",
                    "modelling modeling",
                    "neighbour neighbor",
                    "signalled signaled",
                    "signalling signaling",
                    "travelled traveled",
                    "travelling traveling");

    private static final Map<String, String> AMERICAN = new ConcurrentHashMap<>();

    private Spelling() {}

    /** Returns the identifier in American spelling: the same one if it has no British word. */
    static String american(String identifier) {
        return AMERICAN.computeIfAbsent(identifier, Spelling::spelled);
    }

    /** Returns a word of a sentence, which may be an identifier, in American spelling. */
    static String americanInSentence(String word) {
        return KEPT_IN_SENTENCES.contains(word) ? word : americanByWord(word);
    }

    private static String spelled(String identifier) {
        return KEPT.contains(identifier) ? identifier : americanByWord(identifier);
    }

    private static String americanByWord(String identifier) {
        return Stream.of(WORDS.split(identifier)).map(Spelling::word).collect(joining());
    }

    private static String word(String word) {
        String british = word.toLowerCase(Locale.ROOT);
        String american = ISE.matcher(british).replaceAll("$1iz");
        for (String pair : PAIRS) {
            int space = pair.indexOf(' ');
            american = american.replace(pair.substring(0, space), pair.substring(space + 1));
        }
        if (american.equals(british)) {
            return word;
        }
        return word.equals(word.toUpperCase(Locale.ROOT))
                ? american.toUpperCase(Locale.ROOT)
                : word.charAt(0) + american.substring(1);
    }
}
