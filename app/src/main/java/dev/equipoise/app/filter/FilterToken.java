package dev.equipoise.app.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Word, quoted text or symbol of a filter.
 *
 * @param text without quotes
 * @param at index of its first character
 */
record FilterToken(Kind kind, String text, int at) {

    /** Words that name neither fields nor values, unless they are quoted. */
    private static final Set<String> KEYWORDS =
            Set.of("and", "or", "not", "in", "is", "present", "missing");

    private static final Pattern TOKEN =
            Pattern.compile(
                    """
                    (?<symbol><=|>=|!=|!~|[=<>~(),])\
                    |"(?<double>[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+)"\
                    |'(?<single>[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+)'\
                    |(?<word>[\\p{L}\\p{M}\\p{N}_.:+%@/-]+)\
                    """);

    enum Kind {
        WORD,
        QUOTED,
        SYMBOL,
        END
    }

    /**
     * Divides a text; the last token is its end.
     *
     * @throws FilterFault if a character begins no token
     */
    static List<FilterToken> of(String text) {
        List<FilterToken> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int at = afterBlanks(text, 0);
        while (at < text.length()) {
            matcher.region(at, text.length());
            if (!matcher.lookingAt()) {
                throw fault(text, at);
            }
            tokens.add(of(matcher, at));
            at = afterBlanks(text, matcher.end());
        }
        tokens.add(new FilterToken(Kind.END, "", text.length()));
        return List.copyOf(tokens);
    }

    private static int afterBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static FilterToken of(Matcher matcher, int at) {
        String symbol = matcher.group("symbol");
        if (symbol != null) {
            return new FilterToken(Kind.SYMBOL, symbol, at);
        }
        String word = matcher.group("word");
        if (word != null) {
            return new FilterToken(Kind.WORD, word, at);
        }
        String quoted = matcher.group("double");
        return new FilterToken(
                Kind.QUOTED, unescaped(quoted == null ? matcher.group("single") : quoted), at);
    }

    /** Removes the backslash before each quote and each backslash. */
    private static String unescaped(String quoted) {
        return quoted.replaceAll("(?s)\\\\(.)", "$1");
    }

    private static FilterFault fault(String text, int at) {
        String found = text.substring(at, text.offsetByCodePoints(at, 1));
        return switch (found) {
            case "\"", "'" -> new FilterFault(at, found, "the quoted text has no end");
            case "&" -> new FilterFault(at, found, "write and");
            case "|" -> new FilterFault(at, found, "write or");
            case "!" -> new FilterFault(at, found, "write not, != or !~");
            default ->
                    new FilterFault(
                            at,
                            found,
                            "is not a character of a filter outside quotes: put texts in quotes");
        };
    }

    /** Returns the text for a message; empty at the end only. */
    String shown() {
        return kind == Kind.QUOTED && text.isEmpty() ? "\"\"" : text;
    }

    boolean is(String symbolOrKeyword) {
        return switch (kind) {
            case SYMBOL -> text.equals(symbolOrKeyword);
            case WORD -> text.equalsIgnoreCase(symbolOrKeyword);
            case QUOTED, END -> false;
        };
    }

    /** Returns whether the token may name a field or be a value. */
    boolean isText() {
        return kind == Kind.QUOTED
                || (kind == Kind.WORD && !KEYWORDS.contains(text.toLowerCase(Locale.ROOT)));
    }
}
