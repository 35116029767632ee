package dev.equipoise.app.webhook;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;

/** Events that a webhook can get. */
// A schema of its own: openapi-generator's Java for a set of an enum without a name does not
// compile.
@Schema(enumAsRef = true)
enum WebhookEvent {
    /** A run of the project has completed or failed, or was canceled. */
    @JsonProperty("run.ended")
    RUN_ENDED("run.ended"),
    /** A worker of the lab, which all projects share, sent no heartbeat for the session timeout. */
    @JsonProperty("worker.lost")
    WORKER_LOST("worker.lost");

    private final String code;

    WebhookEvent(String code) {
        this.code = code;
    }

    /** Type of the deliveries of this event. */
    String code() {
        return code;
    }

    static WebhookEvent of(String code) {
        return Arrays.stream(values())
                .filter(it -> it.code.equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown event " + code));
    }
}
