package dev.equipoise.testing.language;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that pages name only types that exist; each finding says where and which name. */
final class TypeNames {

    /** Names of HTTP, Linux, Python, SSH and IEEE 754, and one symbol of a formula. */
    private static final Set<String> FOREIGN =
            Set.of(
                    "Bw",
                    "ETag",
                    "HttpOnly",
                    "Location",
                    "NaN",
                    "Pss",
                    "RateLimit",
                    "Secure",
                    "SetEnv",
                    "TimeoutError",
                    "ValueError",
                    "VmHWM",
                    "VmRSS");

    /** Code spans that are a name as a whole: {@code Type}, {@code package.Type.member}. */
    private static final Pattern NAME =
            Pattern.compile(
                    "(?<!`)`(?:(?<package>[a-z]\\w*(?:\\.[a-z]\\w*)*)\\.)?"
                            + "(?<type>[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)"
                            + "(?:\\.(?<member>\\w+))?(?:\\(\\))?`(?!`)");

    /** The cell of a row of the glossary that names other systems and their types. */
    private static final Pattern USED_BY =
            Pattern.compile(
                    "^(\\|[^|\n]+\\|[^|\n]+\\|)[^|\n]+(?=\\|[^|\n]+\\|$)", Pattern.MULTILINE);

    private static final Pattern FENCED =
            Pattern.compile("^ *```.*?^ *```", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern TYPE =
            Pattern.compile(
                    "^ *(?:[a-z-]+ )*(?:class|record|interface|@interface|enum|type|function|const)"
                            + " ([A-Z]\\w*)",
                    Pattern.MULTILINE);

    private final Map<String, List<SourceFile>> byType = new LinkedHashMap<>();

    private TypeNames() {}

    /**
     * Returns the names that no source declares, by page.
     *
     * @param pages pages that tell of the present; ADRs keep the names of their time
     */
    static List<String> check(List<SourceFile> pages, List<SourceFile> sources) {
        var names = new TypeNames();
        for (SourceFile source : sources) {
            TYPE.matcher(source.text()).results().forEach(it -> names.add(it.group(1), source));
        }
        var findings = new ArrayList<String>();
        for (SourceFile page : pages) {
            Matcher name = NAME.matcher(ownNames(page));
            while (name.find()) {
                String fault = names.fault(name);
                if (fault != null) {
                    findings.add(page.at(name.start()) + ": " + fault);
                }
            }
        }
        return findings;
    }

    /** Returns the page without code blocks and names of other systems, with the same offsets. */
    private static String ownNames(SourceFile page) {
        String text = FENCED.matcher(page.text()).replaceAll(it -> blank(it.group()));
        return page.path().equals("docs/glossary.md")
                ? USED_BY.matcher(text)
                        .replaceAll(it -> {
                            int cell = it.end(1) - it.start();
                            return Matcher.quoteReplacement(it.group(1))
                                    + blank(it.group().substring(cell));
                        })
                : text;
    }

    private static String blank(String text) {
        return text.replaceAll("[^\n]", " ");
    }

    private void add(String type, SourceFile source) {
        byType.computeIfAbsent(type, _ -> new ArrayList<>()).add(source);
    }

    private @Nullable String fault(MatchResult name) {
        String type = name.group("type");
        List<SourceFile> all = byType.getOrDefault(type, List.of());
        if (all.isEmpty()) {
            return FOREIGN.contains(type)
                    ? null
                    : "no source declares a type %s: write its present name, or add it to the names of others in TypeNames"
                            .formatted(type);
        }
        List<SourceFile> named = inPackage(all, name.group("package"));
        if (named.isEmpty()) {
            return "the package %s has no type %s, which is in %s"
                    .formatted(name.group("package"), type, all.getFirst().path());
        }
        String member = name.group("member");
        return member == null || named.stream().anyMatch(it -> mentions(it, member))
                ? null
                : "%s has no member %s".formatted(named.getFirst().path(), member);
    }

    private static List<SourceFile> inPackage(List<SourceFile> files, @Nullable String name) {
        if (name == null) {
            return files;
        }
        String folder = "/" + name.replace('.', '/') + "/";
        return files.stream().filter(it -> folderOf(it).endsWith(folder)).toList();
    }

    private static String folderOf(SourceFile file) {
        return "/" + file.path().substring(0, file.path().lastIndexOf('/') + 1);
    }

    private static boolean mentions(SourceFile file, String member) {
        return Pattern.compile("\\b" + member + "\\b").matcher(file.text()).find();
    }
}
