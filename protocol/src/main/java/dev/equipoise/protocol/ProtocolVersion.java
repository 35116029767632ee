package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Version of the messages between service and agents, apart from the version of the product.
 *
 * <p>A service and an agent work together if their major versions are equal and their minor
 * versions differ by at most one: {@link #isNextTo}. So the version changes with a release that
 * changes messages, at most once:
 *
 * <ul>
 *   <li>the minor version, if the other side can do without the change: a message gets a field
 *       whose absence has a meaning, or an event of a new type that the service may ignore;
 *   <li>the major version, if it cannot: a field is renamed, removed, or gets another meaning.
 * </ul>
 *
 * @param text major and minor number: {@code 0.2}
 */
public record ProtocolVersion(@JsonValue String text) {

    private static final int MAX_TEXT = 20;
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6})");

    /** Version of this build. */
    public static final ProtocolVersion OWN = new ProtocolVersion("0.2");

    /** Version of the services and agents that report none, as they predate these fields. */
    public static final ProtocolVersion UNREPORTED = new ProtocolVersion("0.1");

    /**
     * First version whose agents compare their data and weights with those of other ranks, and
     * begin with the model of a run.
     */
    public static final ProtocolVersion COMPARISONS_AND_MODELS = new ProtocolVersion("0.2");

    /** First version whose agents know {@link ProblemCode#UNREACHABLE_ADDRESS}. */
    public static final ProtocolVersion UNREACHABLE_ADDRESS = new ProtocolVersion("0.2");

    public ProtocolVersion {
        Rules.text("protocol", text, MAX_TEXT);
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "protocol must be a major and a minor number, as 0.2 is, but was " + text);
        }
    }

    @JsonCreator
    public static ProtocolVersion of(String text) {
        return new ProtocolVersion(text);
    }

    /** Returns whether a service of one version and an agent of the other work together. */
    public boolean isNextTo(ProtocolVersion other) {
        return major() == other.major() && Math.abs(minor() - other.minor()) <= 1;
    }

    public boolean isOlderThan(ProtocolVersion other) {
        return major() == other.major() ? minor() < other.minor() : major() < other.major();
    }

    private int major() {
        return number(1);
    }

    private int minor() {
        return number(2);
    }

    private int number(int group) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalStateException(text);
        }
        return Integer.parseInt(form.group(group));
    }

    @Override
    public String toString() {
        return text;
    }
}
