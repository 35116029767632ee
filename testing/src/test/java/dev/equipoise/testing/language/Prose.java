package dev.equipoise.testing.language;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds British spellings in sentences: pages, comments and messages, without cited code. */
final class Prose {

    /** Code and addresses that a sentence cites, and quoted single words, which may be codes. */
    private static final Pattern CITED =
            Pattern.compile(
                    "^ *```.*?^ *```"
                            + "|``[^`]++``"
                            + "|`[^`]++`"
                            + "|\\{@code [^}]*+}"
                            + "|\\{@link(?:plain)? [^\\s}]++"
                            + "|@param \\w++"
                            + "|\"[^\"\\s]++\""
                            + "|\\$\\{[^}]*+}"
                            + "|]\\([^)\\s]++\\)"
                            + "|https?://\\S++",
                    Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern WORD = Pattern.compile("[A-Za-z]++");

    private Prose() {}

    /**
     * Adds a finding for each British word.
     *
     * @param offset place of the text in the file
     */
    static void check(SourceFile file, int offset, String text, List<String> findings) {
        Matcher word = WORD.matcher(CITED.matcher(text).replaceAll(Prose::blank));
        while (word.find()) {
            String american = Spelling.americanInSentence(word.group());
            if (!american.equals(word.group())) {
                findings.add(
                        "%s: the word %s has a British spelling: write %s, or set a code in backticks"
                                .formatted(file.at(offset + word.start()), word.group(), american));
            }
        }
    }

    private static String blank(MatchResult cited) {
        return cited.group().replaceAll("[^\n]", " ");
    }
}
