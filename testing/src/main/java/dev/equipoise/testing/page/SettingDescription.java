package dev.equipoise.testing.page;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Description of a setting in the sources, as Markdown.
 *
 * @param meaning description without the default; empty if there is none
 * @param defaultValue words after "default:" in parentheses; empty if there are none
 */
record SettingDescription(String meaning, String defaultValue) {

    private static final Pattern DEFAULT = Pattern.compile(" ?\\(default: ([^()]*+)\\)");

    /** Code of Javadoc; variables, settings, options, paths and addresses in any text. */
    private static final Pattern CODE =
            Pattern.compile(
                    "\\{@code (?<cited>[^}]*+)}"
                            + "|(?<![\\w/.-])(?<plain>"
                            + "\\$?[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++(?:/[\\w/.-]*\\w)?"
                            + "|equipoise\\.[a-z0-9.-]*[a-z0-9]"
                            + "|--[a-z][a-z-]*[a-z]"
                            + "|~/[\\w/.-]*\\w"
                            + "|https?://[^\\s,;()]*[\\w/])");

    /** Reads a description of Javadoc, of configuration metadata or of picocli. */
    static SettingDescription of(String text) {
        Matcher words = DEFAULT.matcher(text.strip().replaceAll("\\s+", " "));
        String defaultValue = words.find() ? words.group(1) : "";
        return new SettingDescription(markdown(words.replaceFirst("")), markdown(defaultValue));
    }

    private static String markdown(String text) {
        return CODE.matcher(text)
                .replaceAll(it -> {
                    String cited = it.group("cited");
                    return Matcher.quoteReplacement(
                            "`" + (cited == null ? it.group("plain") : cited) + "`");
                });
    }
}
