package dev.equipoise.app.webhook;

import dev.equipoise.protocol.DisplayText;

/** Outcome of an attempt to deliver. */
sealed interface AttemptOutcome {

    /**
     * The receiver answered.
     *
     * @param status of HTTP
     */
    record Responded(int status) implements AttemptOutcome {}

    /**
     * No answer came, or the service did not connect.
     *
     * @param reason phrase for people, which may quote the receiver
     */
    record NoResponse(String reason) implements AttemptOutcome {

        private static final int MAX_CHARACTERS = 300;

        public NoResponse {
            String clean = DisplayText.clean(reason);
            reason = clean.substring(0, Math.min(clean.length(), MAX_CHARACTERS));
        }
    }
}
