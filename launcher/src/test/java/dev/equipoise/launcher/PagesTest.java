package dev.equipoise.launcher;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that each command in the documentation was tried, or that the page says it was not. For
 * each block of commands, one of these holds:
 *
 * <ul>
 *   <li>the block calls the API, and {@code CurlExamplesIT} runs it;
 *   <li>the comment above it names tests, or files that tests run, which run its commands;
 *   <li>the comment above it tells how it was tried by hand;
 *   <li>the paragraph below it says "not tried" to every reader.
 * </ul>
 */
class PagesTest {

    private static final Pattern NAMES = Pattern.compile("tried: (\\S+(?:, \\S+)*)");
    private static final Pattern BY_HAND = Pattern.compile("tried by hand: \\S.*");
    private static final Pattern NOT_TRIED = Pattern.compile("(?i)\\bnot tried\\b");

    /** Blocks that {@code CurlExamplesIT} runs. */
    private static final Pattern CALLS_API =
            Pattern.compile("(?s)(?=.*\\b(?:curl|api) )(?=.*\\$URL).*");

    /**
     * The subject of a line: a command of ours, a path of an agent, a variable, or another program.
     */
    private static final Pattern SUBJECT =
            Pattern.compile(
                    "(?:\\./equipoise|equipoise\\.py) (?<command>[a-z-]+)"
                            + "|http://agent:8081/(?<path>[a-z]+)"
                            + "|\\bexport (?<variable>[A-Z_]+)="
                            + "|(?m)^(?!curl|export|python3)(?<program>[\\w./]+)(?: |$)");

    private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z-]+)(?: |$)");

    private final List<Page> pages = Page.all();

    PagesTest() throws IOException {}

    @Test
    void everyBlockIsTriedOrMarkedAsNotTried() {
        assertThat(pages.stream().flatMap(PagesTest::faults)).isEmpty();
    }

    @Test
    void everyMarkHasABlock() {
        assertThat(pages).filteredOn(it -> it.looseMarks() > 0).extracting(Page::name).isEmpty();
    }

    @Test
    void everyDocumentedCommandExistsInTheScript() {
        String script = TestingTree.text(TestingCommand.HOME.resolve("equipoise"));
        String usage = script.substring(script.indexOf("<<'END'"), script.indexOf("\nEND\n"));
        TreeSet<String> commands =
                COMMAND.matcher(usage)
                        .results()
                        .map(it -> it.group(1))
                        .collect(toCollection(TreeSet::new));
        List<Page.Call> calls = pages.stream().flatMap(it -> it.calls().stream()).toList();

        assertThat(calls).hasSizeGreaterThan(20);
        assertThat(calls).filteredOn(it -> !commands.contains(it.command())).isEmpty();
    }

    @Test
    void unmarkedBlockIsAFault() {
        assertThat(faults("```sh\n./equipoise demo\n```\n\nends with a table.\n")).hasSize(1);
        assertThat(faults("```sh\n./equipoise demo\n```\n\nNot tried: no machine.\n")).isEmpty();
        assertThat(faults("<!-- tried by hand: once -->\n```sh\n./equipoise demo\n```\n"))
                .isEmpty();
        assertThat(faults("<!-- tried by hand -->\n```sh\n./equipoise demo\n```\n")).hasSize(1);
        assertThat(faults("```sh\ncurl $URL/api/v1/runs\n```\n")).isEmpty();
    }

    @Test
    void markWithAMissingOrUnrelatedTestIsAFault() {
        assertThat(faults("<!-- tried: DemoIT -->\n```sh\n./equipoise demo\n```\n")).isEmpty();
        assertThat(faults("<!-- tried: DanceIT -->\n```sh\n./equipoise demo\n```\n"))
                .containsExactly("page:3: there is no DanceIT");
        assertThat(faults("<!-- tried: DemoIT -->\n```sh\n./equipoise demo\npg_dump lab\n```\n"))
                .containsExactly("page:3: DemoIT runs no \\bpg_dump\\b");
    }

    @Test
    void markWithoutABlockIsLoose() {
        assertThat(new Page("page", "<!-- tried: DemoIT -->\n\n```sh\nls\n```\n").looseMarks())
                .isEqualTo(1);
    }

    private static List<String> faults(String text) {
        return faults(new Page("page", text)).toList();
    }

    private static Stream<String> faults(Page page) {
        return page.blocks().stream()
                .flatMap(block -> fault(block).stream().map(it -> block + ": " + it));
    }

    private static Optional<String> fault(Page.Block block) {
        var names = NAMES.matcher(block.mark());
        if (names.matches()) {
            return untried(block, List.of(names.group(1).split(", ")));
        }
        boolean isTold =
                BY_HAND.matcher(block.mark()).matches()
                        || CALLS_API.matcher(block.script()).matches()
                        || NOT_TRIED.matcher(block.after()).find();
        return isTold ? Optional.empty() : Optional.of("neither tried nor marked as not tried");
    }

    /** Checks only that the sources of the named tests mention the command. */
    private static Optional<String> untried(Page.Block block, List<String> names) {
        var sources = new StringBuilder();
        for (String name : names) {
            Optional<String> source = TestingTree.source(name);
            if (source.isEmpty()) {
                return Optional.of("there is no " + name);
            }
            sources.append(source.get());
        }
        return SUBJECT.matcher(block.script())
                .results()
                .map(PagesTest::subject)
                .filter(subject -> !Pattern.compile(subject).matcher(sources).find())
                .map(subject -> "%s runs no %s".formatted(String.join(", ", names), subject))
                .findFirst();
    }

    /**
     * Returns a pattern for the subject as tests write it: a word of a command line or of a script.
     */
    private static String subject(MatchResult found) {
        String command = found.group("command");
        if (command != null) {
            return "(?m)(\"|equipoise |/)%s(\"|\\.sh|$)".formatted(command);
        }
        return Stream.of("path", "variable", "program")
                .map(found::group)
                .filter(Objects::nonNull)
                .map(it -> "\\b%s\\b".formatted(it.replaceFirst(".*/", "")))
                .findFirst()
                .orElseThrow();
    }
}
