package dev.equipoise.testing.language;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of names and sentences; each finding says where, what was found and what to write. */
final class LanguageRules {

    /** Strings, comments, imports and identifiers of Java, TypeScript and Python. */
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"\"\"[^\\\\\"]*+(?:(?:\\\\.|\"(?!\"\"))[^\\\\\"]*+)*+\"\"\""
                            + "|\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\""
                            + "|'[^'\\\\\n]*+(?:\\\\.[^'\\\\\n]*+)*+'"
                            + "|`[^`\\\\]*+(?:\\\\.[^`\\\\]*+)*+`"
                            + "|//[^\n]*+"
                            + "|/\\*.*?\\*/"
                            + "|(?<![\\w.])import [\\w.* ]++;"
                            + "|(?<identifier>[A-Za-z_$][\\w$]*+)",
                    Pattern.DOTALL);

    private static final Pattern RIDDLE =
            Pattern.compile(
                    "(?:/\\*\\*|\"\"\")[\\s*]*(Who|What|Whose|Of|Those|One that|The same)\\b");

    /** Types that the word public opens; variants of an interface are named with it. */
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile(
                    "^ *public (?:static |abstract |final |sealed |non-sealed )*"
                            + "(?:class|record|interface|enum|@interface) (\\w+)",
                    Pattern.MULTILINE);

    private static final Pattern TEST =
            Pattern.compile("/src/test/|/e2e/|\\.test\\.tsx?$|/testing-|/test_\\w+\\.py$");

    private LanguageRules() {}

    /** Returns the findings of all rules, by file. */
    static List<String> check(List<SourceFile> files) {
        var findings = new ArrayList<String>();
        for (SourceFile file : files) {
            Matcher token = TOKEN.matcher(file.text());
            while (token.find()) {
                checkToken(file, token, findings);
            }
        }
        checkTypeNames(files, findings);
        return findings;
    }

    private static void checkToken(SourceFile file, Matcher token, List<String> findings) {
        String identifier = token.group("identifier");
        if (identifier != null) {
            checkSpelling(file, token.start(), identifier, findings);
            return;
        }
        if (isDocumentation(file, token.group())) {
            checkFirstSentence(file, token.start(), token.group(), findings);
        }
        if (isSentence(file, token.group())) {
            Prose.check(file, token.start() + 1, withoutQuotes(token.group()), findings);
        }
    }

    /** Whether a token is a sentence: a comment, or a text with a space outside of tests. */
    private static boolean isSentence(SourceFile file, String token) {
        return token.startsWith("/")
                || (token.startsWith("\"\"\"") && file.path().endsWith(".py"))
                || ("\"'`".indexOf(token.charAt(0)) >= 0
                        && token.contains(" ")
                        && !TEST.matcher(file.path()).find());
    }

    private static String withoutQuotes(String token) {
        int end = token.startsWith("//") ? token.length() : token.length() - 1;
        return token.substring(1, end);
    }

    private static boolean isDocumentation(SourceFile file, String token) {
        return token.startsWith(file.path().endsWith(".py") ? "\"\"\"" : "/**");
    }

    private static void checkFirstSentence(
            SourceFile file, int offset, String comment, List<String> findings) {
        Matcher riddle = RIDDLE.matcher(comment);
        if (riddle.lookingAt()) {
            findings.add(
                    ("%s: the documentation begins with \"%s\": begin with the named thing or its"
                                    + " verb, as in \"Largest mini-batch of a rank, in samples.\"")
                            .formatted(file.at(offset), riddle.group(1)));
        }
    }

    private static void checkSpelling(
            SourceFile file, int offset, String identifier, List<String> findings) {
        String american = Spelling.american(identifier);
        if (!american.equals(identifier)) {
            findings.add(
                    "%s: the identifier %s has a British spelling: write %s"
                            .formatted(file.at(offset), identifier, american));
        }
    }

    private static void checkTypeNames(List<SourceFile> files, List<String> findings) {
        Map<String, String> firsts = new LinkedHashMap<>();
        for (SourceFile file : files) {
            Matcher type = PUBLIC_TYPE.matcher(file.path().endsWith(".java") ? file.text() : "");
            while (type.find()) {
                String place = file.at(type.start());
                String first = firsts.putIfAbsent(file.module() + " " + type.group(1), place);
                if (first != null) {
                    findings.add(
                            "%s: the public type %s has a namesake in its module, %s: rename one so that its name tells which it is"
                                    .formatted(place, type.group(1), first));
                }
            }
        }
    }
}
