package dev.equipoise.app.filter;

import dev.equipoise.app.problem.StorableTimes;
import dev.equipoise.app.problem.Suggestion;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads values by the type of the field that they are compared with.
 *
 * @param now time from which relative times count
 */
record LiteralReader(Instant now) {

    /** Bounded digits and exponents, so that no number takes long to compute. */
    private static final String NUMBER = "[-+]?\\d{1,20}(?:\\.\\d{0,20})?(?:[eE][-+]?\\d{1,3})?";

    private static final Pattern WHOLE = Pattern.compile("[-+]?\\d{1,19}");
    private static final Pattern REAL = Pattern.compile("(" + NUMBER + ")(%?)");
    private static final Pattern DURATION = Pattern.compile("(" + NUMBER + ")(ms|s|m|h|d|w)?");
    private static final Pattern RELATIVE = Pattern.compile("now(?:-(\\d{1,6})([smhdw]))?");
    private static final int PER_CENT = 2;

    /** Units of durations, in seconds. */
    private static final Map<String, Double> SECONDS =
            Map.of("ms", 1e-3, "s", 1.0, "m", 60.0, "h", 3600.0, "d", 86_400.0, "w", 604_800.0);

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException with the rule that the value breaks
     */
    Literal read(FilterField field, String text) {
        return switch (field.type()) {
            case TEXT, TAGS -> new Literal.Text(text);
            case CHOICE -> choice(field, text);
            case ID -> id(text);
            case BOOLEAN -> flag(text);
            case NUMBER -> number(text);
            case DURATION -> duration(text);
            case TIME -> new Literal.Moment(time(text));
        };
    }

    private static Literal choice(FilterField field, String text) {
        return field.values().stream()
                .filter(it -> it.equalsIgnoreCase(text))
                .findFirst()
                .map(Literal.Text::new)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "%s must be one of %s%s"
                                        .formatted(
                                                field.name(),
                                                field.values(),
                                                Suggestion.after(text, field.values()))));
    }

    private static Literal id(String text) {
        try {
            return new Literal.Id(UUID.fromString(text));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("must be a UUID", wrong);
        }
    }

    private static Literal flag(String text) {
        return switch (text) {
            case "true" -> new Literal.Flag(true);
            case "false" -> new Literal.Flag(false);
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    private static Literal number(String text) {
        if (WHOLE.matcher(text).matches() && isLong(text)) {
            return new Literal.Whole(Long.parseLong(text));
        }
        Matcher parts = REAL.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("must be a number, such as 0.9, 1e-4 or 90%");
        }
        return new Literal.Real(
                finite(
                        parts.group(2).isEmpty()
                                ? Double.parseDouble(parts.group(1))
                                : new BigDecimal(parts.group(1))
                                        .movePointLeft(PER_CENT)
                                        .doubleValue()));
    }

    private static boolean isLong(String whole) {
        return new BigInteger(whole.replace("+", "")).bitLength() < Long.SIZE;
    }

    private static Literal duration(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "must be a duration, such as 90 (seconds), 250ms, 10m, 1.5h or 2d");
        }
        String unit = parts.group(2);
        double seconds = unit == null ? 1 : SECONDS.getOrDefault(unit, 1.0);
        return new Literal.Real(finite(Double.parseDouble(parts.group(1)) * seconds));
    }

    private static double finite(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("must be finite");
        }
        return number;
    }

    private Instant time(String text) {
        Matcher relative = RELATIVE.matcher(text);
        Instant time = relative.matches() ? before(relative) : absolute(text);
        if (!StorableTimes.isStorable(time)) {
            throw new IllegalArgumentException("must be a time of the years 1 to 9999");
        }
        return time;
    }

    private Instant before(Matcher relative) {
        String unit = relative.group(2);
        if (unit == null) {
            return now;
        }
        long seconds = Math.round(SECONDS.getOrDefault(unit, 1.0));
        return now.minus(Duration.ofSeconds(Long.parseLong(relative.group(1)) * seconds));
    }

    private static Instant absolute(String text) {
        try {
            return text.contains("T")
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeParseException wrong) {
            throw new IllegalArgumentException(
                    "must be a time, such as 2026-11-22, 2026-11-22T10:00:00Z or now-7d", wrong);
        }
    }
}
