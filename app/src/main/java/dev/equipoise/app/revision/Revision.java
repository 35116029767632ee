package dev.equipoise.app.revision;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A state of a resource, as {@code ETag} and {@code If-Match} tell it (RFC 9110, sections 8.8.3 and
 * 13.1.1).
 *
 * @param number grows with each change
 */
public record Revision(long number) {

    /** A strong entity tag. */
    public String tag() {
        return "\"%d\"".formatted(number);
    }

    /**
     * Passes where the caller has seen this state, or does not say what it has seen.
     *
     * @param ifMatch the header: {@code *}, or entity tags parted by commas; null for none
     * @throws Problem {@code precondition-failed} otherwise
     */
    public void require(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return;
        }
        if (Arrays.stream(ifMatch.split(",")).map(String::strip).noneMatch(tag()::equals)) {
            throw Problem.of(
                    ErrorCode.PRECONDITION_FAILED,
                    "If-Match is %s, but the resource is at %s: read it again"
                            .formatted(ifMatch, tag()));
        }
    }
}
