package dev.equipoise.app;

import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Reads the path below which the service is served, and rejects settings of paths that the service
 * could not keep to.
 */
final class ContextPath implements EnvironmentPostProcessor {

    private static final String SETTING = "server.servlet.context-path";

    /** Settings that would move paths away from the rules of access, which then match none of them. */
    private static final Map<String, String> KEPT =
            Map.of("spring.mvc.servlet.path", "/", "management.endpoints.web.base-path", "/actuator");

    /** Segments of characters that browsers, proxies and cookies pass on without encoding them. */
    private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[\\w.~-]+)*/?");

    /** Returns the path, such as {@code /equipoise}; empty at the root of the address. */
    static String of(Environment environment) {
        String path = environment.getProperty(SETTING, "");
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        String path = environment.getProperty(SETTING, "");
        if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException(
                    "%s must be a path such as /equipoise, of letters, digits and -._~, but was %s"
                            .formatted(SETTING, path));
        }
        KEPT.forEach(
                (setting, kept) -> {
                    String value = environment.getProperty(setting, kept);
                    if (!value.equals(kept)) {
                        throw new IllegalArgumentException(
                                "%s must be %s, but was %s: set %s to serve the service below a path"
                                        .formatted(setting, kept, value, SETTING));
                    }
                });
    }
}
