package dev.equipoise.helm;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prometheus names of the meters that the service and the agents register, read from their sources.
 */
final class RegisteredMeters {

    private static final Path SERVICE =
            Path.of("../app/src/main/java/dev/equipoise/app/observability");
    private static final Path AGENT =
            Path.of("../worker-agent/src/main/java/dev/equipoise/agent/status");

    private static final Pattern CONSTANT =
            Pattern.compile("static final String (\\w+) = (\"equipoise\\.[.a-z]+\");");

    /** Registration by a Micrometer builder, or by a method named after the kind of its meter. */
    private static final Pattern REGISTERED =
            Pattern.compile(
                    "\\b((?i)counter|gauge|timegauge|timer)(?:\\.builder)?\\(\\s*\"([.a-z]*[a-z])\"");

    /** Prefix that such a method puts before the given name. */
    private static final Pattern PREFIX = Pattern.compile("\"(equipoise\\.[.a-z]*\\.)\" \\+ name");

    /** Suffixes of Prometheus names, which express kinds and units. */
    private static final Map<String, String> ENDINGS =
            Map.of("counter", "_total", "gauge", "", "timegauge", "_seconds", "timer", "_seconds");

    private RegisteredMeters() {}

    static Set<String> all() {
        return Stream.of(SERVICE, AGENT).flatMap(RegisteredMeters::of).collect(toSet());
    }

    private static Stream<String> of(Path sources) {
        String source = withoutConstants(read(sources));
        String prefix =
                PREFIX.matcher(source).results().map(it -> it.group(1)).findAny().orElse("");
        return REGISTERED.matcher(source).results().map(it -> name(prefix, it));
    }

    private static String withoutConstants(String source) {
        String inlined = source;
        for (MatchResult constant : CONSTANT.matcher(source).results().toList()) {
            inlined =
                    inlined.replaceAll(
                            "\\bMeterNames\\." + constant.group(1) + "\\b", constant.group(2));
        }
        return inlined;
    }

    private static String name(String prefix, MatchResult registered) {
        String name = registered.group(2);
        return (name.startsWith("equipoise.") ? name : prefix + name).replace('.', '_')
                + ENDINGS.get(registered.group(1).toLowerCase(Locale.ROOT));
    }

    private static String read(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().map(RegisteredMeters::text).collect(joining());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
