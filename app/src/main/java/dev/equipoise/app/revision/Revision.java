package dev.equipoise.app.revision;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Revision of a resource, for {@code ETag} and {@code If-Match} (RFC 9110, sections 8.8.3 and
 * 13.1.1).
 *
 * @param number grows with each change
 */
public record Revision(long number) {

    /** Returns the revision as a strong entity tag. */
    public String tag() {
        return "\"%d\"".formatted(number);
    }

    /**
     * Checks that the caller has seen this revision, if it names any.
     *
     * @param ifMatch the header: {@code *}, or entity tags separated by commas; null without the
     *     header
     * @throws Problem {@code precondition-failed} if the header names only other revisions
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
