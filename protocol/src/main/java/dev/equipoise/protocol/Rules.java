package dev.equipoise.protocol;

import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks of messages, with the rule and the actual value in each error. A missing field of a
 * message is null here, regardless of its declared type.
 */
final class Rules {

    private static final int SHOWN = 50;
    private static final int MAX_PORT = 65_535;
    private static final int DECIMAL = 10;
    private static final Pattern ADDRESS = Pattern.compile("\\S+:[0-9]{1,5}");
    private static final Pattern METRIC = Pattern.compile("[a-z0-9-]+(/[a-z0-9-]+)*");

    private Rules() {}

    static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "%s must be at least %d, but was %d".formatted(name, least, value));
        }
    }

    /** Rejects NaN and infinities as well. */
    static void atLeast(String name, double value, double least) {
        if (!(value >= least) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(
                    "%s must be at least %s, but was %s".formatted(name, least, value));
        }
    }

    /** Requires a finite number greater than 0. */
    static void positive(String name, @Nullable Double value) {
        present(name, value);
        if (value == null || !(value > 0) || value.isInfinite()) {
            throw new IllegalArgumentException(
                    "%s must be greater than 0, but was %s".formatted(name, value));
        }
    }

    static void below(String name, double value, double bound) {
        if (!(value < bound)) {
            throw new IllegalArgumentException(
                    "%s must be below %s, but was %s".formatted(name, bound, value));
        }
    }

    static void between(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    "%s must be from %s to %s, but was %s".formatted(name, least, most, value));
        }
    }

    /** Requires a value from 0 to below 1. */
    static void fraction(String name, double value) {
        atLeast(name, value, 0.0);
        below(name, value, 1);
    }

    static void finite(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(
                    "%s must be a finite number, but was %s".formatted(name, value));
        }
    }

    static void present(String name, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("%s must be given".formatted(name));
        }
    }

    static void notBlank(String name, String value) {
        present(name, value);
        if (value.isBlank()) {
            throw new IllegalArgumentException("%s must not be blank".formatted(name));
        }
    }

    /** Requires a text that is not blank and has a bounded length. */
    static void text(String name, String value, int most) {
        notBlank(name, value);
        if (value.length() > most) {
            throw new IllegalArgumentException(
                    "%s must have at most %d characters, but had %d: %s..."
                            .formatted(
                                    name,
                                    most,
                                    value.length(),
                                    value.substring(0, Math.min(SHOWN, most))));
        }
    }

    /** Requires a text as {@link #text} does that obeys {@link DisplayText}. */
    static void displayText(String name, String value, int most) {
        text(name, value, most);
        if (!DisplayText.isValid(value)) {
            throw new IllegalArgumentException(
                    "%s %s, but was %s"
                            .formatted(name, DisplayText.RULE, DisplayText.clean(value)));
        }
    }

    /**
     * Requires words of lowercase letters, digits and hyphens, separated by slashes, of bounded
     * length.
     */
    static void metric(String name, String value, int most) {
        text(name, value, most);
        if (!METRIC.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "%s must be words of a-z, 0-9 and -, with / between them, but was %s"
                            .formatted(name, value));
        }
    }

    /**
     * Requires {@code host:port} of bounded length. The host is not checked, as only a lookup
     * could.
     */
    static void address(String name, String value, int most) {
        text(name, value, most);
        if (!ADDRESS.matcher(value).matches() || port(value) < 1 || port(value) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "%s must be host:port with a port in 1..%d, but was %s"
                            .formatted(name, MAX_PORT, value));
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address, address.lastIndexOf(':') + 1, address.length(), DECIMAL);
    }

    static void notEmpty(String name, Collection<?> value) {
        present(name, value);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("%s must not be empty".formatted(name));
        }
    }

    static void size(String name, Collection<?> value, int most) {
        present(name, value);
        if (value.size() > most) {
            throw new IllegalArgumentException(
                    "%s must hold at most %d, but held %d".formatted(name, most, value.size()));
        }
        value.forEach(element -> present("every element of " + name, element));
    }

    /** Requires as many elements as another collection has. */
    static void sameSize(String name, Collection<?> value, Collection<?> others) {
        size(name, value, others.size());
        if (value.size() < others.size()) {
            throw new IllegalArgumentException(
                    "%s must hold %d, but held %d".formatted(name, others.size(), value.size()));
        }
    }

    /** Requires names and values that each obey {@link #displayText}. */
    static void displayTexts(String name, Map<String, String> value, int most, int longest) {
        present(name, value);
        size(name, value.keySet(), most);
        value.forEach((key, text) -> {
            displayText("a name in " + name, key, longest);
            displayText(name + "." + key, text, longest);
        });
    }
}
