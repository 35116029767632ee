package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation, with the commands in it. */
record Page(String name, String text) {

    private static final Pattern BLOCK =
            Pattern.compile("(?m)^(?:<!-- (tried\\b.*) -->\\n)?```sh\\n((?s:.*?))^```$");
    private static final Pattern MARK = Pattern.compile("(?m)^ *<!-- tried\\b");
    private static final Pattern SPAN = Pattern.compile("(?<!`)`(\\./equipoise [^`]*)`(?!`)");
    private static final Pattern CALL =
            Pattern.compile("(?m)(?:^|[ ;(])\\./equipoise ([a-z-]+)([^;&#)\\n]*)");

    /**
     * A fenced block of commands.
     *
     * @param mark text of the hidden comment above the block; empty if there is none
     * @param after paragraph that follows the block
     */
    record Block(String page, int line, String mark, String script, String after) {

        @Override
        public String toString() {
            return "%s:%d".formatted(page, line);
        }
    }

    /** A call of {@code ./equipoise}, in a block or in a sentence. */
    record Call(String page, String command, List<String> words) {}

    static List<Page> all() throws IOException {
        try (Stream<Path> docs = Files.walk(TestingCommand.HOME.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "helm/equipoise/README.md")
                                    .map(TestingCommand.HOME::resolve),
                            docs.filter(it -> it.toString().endsWith(".md")).sorted())
                    .map(Page::read)
                    .toList();
        }
    }

    private static Page read(Path file) {
        return new Page(TestingCommand.HOME.relativize(file).toString(), TestingTree.text(file));
    }

    List<Block> blocks() {
        return BLOCK.matcher(text)
                .results()
                .map(it ->
                        new Block(
                                name,
                                line(it.start(2)),
                                it.group(1) == null ? "" : it.group(1),
                                it.group(2).replace("\\\n", " "),
                                text.substring(it.end()).strip().split("\\n\\n", 2)[0]))
                .toList();
    }

    private int line(int offset) {
        return 1 + Math.toIntExact(text.substring(0, offset).lines().count());
    }

    /** Returns the number of marks without a block. */
    long looseMarks() {
        return MARK.matcher(text).results().count()
                - blocks().stream().filter(it -> !it.mark().isEmpty()).count();
    }

    List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        Stream.concat(
                        blocks().stream().map(Block::script),
                        SPAN.matcher(text).results().map(it -> it.group(1)))
                .forEach(script -> {
                    for (Matcher call = CALL.matcher(script); call.find(); ) {
                        String words = call.group(2).strip();
                        calls.add(
                                new Call(
                                        name, call.group(1), List.of(words.split("[\\s\\[\\]]+"))));
                    }
                });
        return calls;
    }
}
