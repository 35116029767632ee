package dev.equipoise.app;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Checks the path below which the service is served, and rejects settings that would bypass the
 * access rules.
 */
final class ContextPath implements EnvironmentPostProcessor {

    private static final String SETTING = "server.servlet.context-path";

    /** Settings with one allowed value: the access rules match no other path. */
    private static final Map<String, String> FIXED_SETTINGS =
            Map.of(
                    "spring.mvc.servlet.path",
                    "/",
                    "management.endpoints.web.base-path",
                    "/actuator");

    /** Segments of characters that browsers, proxies and cookies pass on without encoding them. */
    private static final Pattern PATH = Pattern.compile("(/(?!\\.+(/|$))[\\w.~-]+)*/?");

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        List<String> problems =
                Stream.concat(malformedPath(environment).stream(), changedSettings(environment))
                        .toList();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    private static Optional<String> malformedPath(Environment environment) {
        return Optional.of(environment.getProperty(SETTING, ""))
                .filter(path -> !PATH.matcher(path).matches())
                .map(path ->
                        "%s must be a path such as /equipoise, of letters, digits and -._~, but was %s"
                                .formatted(SETTING, path));
    }

    private static Stream<String> changedSettings(Environment environment) {
        return FIXED_SETTINGS.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(it -> changed(environment, it.getKey(), it.getValue()).stream());
    }

    private static Optional<String> changed(
            Environment environment, String setting, String allowed) {
        return Optional.of(environment.getProperty(setting, allowed))
                .filter(value -> !value.equals(allowed))
                .map(value ->
                        "%s must be %s, but was %s: set %s to serve the service below a path"
                                .formatted(setting, allowed, value, SETTING));
    }
}
