package dev.equipoise.testing.language;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of the README and of the pages; each finding says where and what to write. */
final class PageRules {

    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.+)");

    /** Marks that an author leaves to fill in later, for example {@code @R}. */
    private static final Pattern PLACEHOLDER =
            Pattern.compile("(?<![\\w`])(?:@[A-Z][A-Z0-9]*+|TODO|FIXME|TBD)(?!\\w)");

    private PageRules() {}

    /** Returns the findings of all rules, by page. */
    static List<String> check(List<SourceFile> pages) {
        var findings = new ArrayList<String>();
        for (SourceFile page : pages) {
            Prose.check(page, 0, page.text(), findings);
            checkLines(page, findings);
        }
        return findings;
    }

    private static void checkLines(SourceFile page, List<String> findings) {
        Map<String, Integer> headings = new HashMap<>();
        boolean inCode = false;
        int number = 0;
        for (String line : page.text().lines().toList()) {
            number++;
            if (line.strip().startsWith("```")) {
                inCode = !inCode;
            } else if (!inCode) {
                String place = page.path() + ":" + number;
                checkHeading(place, number, line, headings, findings);
                checkPlaceholder(place, line, findings);
            }
        }
    }

    private static void checkHeading(
            String place,
            int number,
            String line,
            Map<String, Integer> headings,
            List<String> findings) {
        Matcher heading = HEADING.matcher(line);
        if (!heading.matches()) {
            return;
        }
        String title = heading.group(1).strip();
        Integer first = headings.putIfAbsent(title.toLowerCase(Locale.ROOT), number);
        if (first != null) {
            findings.add(
                    "%s: the heading \"%s\" is on line %d already: name what differs, or join the two"
                            .formatted(place, title, first));
        }
    }

    private static void checkPlaceholder(String place, String line, List<String> findings) {
        Matcher placeholder = PLACEHOLDER.matcher(line);
        while (placeholder.find()) {
            findings.add(
                    "%s: the placeholder %s is left: write what it stands for"
                            .formatted(place, placeholder.group()));
        }
    }
}
