package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.JsonNode;

/** What the service answered. */
public record Answer(int status, HttpHeaders headers, JsonNode body) {

    /** The body of an answer that must have the status. */
    public JsonNode expect(int wanted) {
        assertThat(status).as("%s", body).isEqualTo(wanted);
        return body;
    }

    /** The body, a problem with the status and the code. */
    public JsonNode problem(int wanted, String code) {
        expect(wanted);
        assertThat(headers.getContentType()).hasToString("application/problem+json");
        assertThat(body.path("code").stringValue()).isEqualTo(code);
        assertThat(body.path("type").stringValue()).isEqualTo("urn:equipoise:problem:" + code);
        assertThat(body.path("status").intValue()).isEqualTo(wanted);
        assertThat(body.path("title").stringValue()).isNotBlank();
        assertThat(body.path("detail").stringValue()).isNotBlank();
        assertThat(body.path("instance").stringValue()).startsWith("/");
        return body;
    }

    /** The broken rules of a problem, each as "pointer rule". */
    public List<String> violations() {
        return StreamSupport.stream(body.path("errors").spliterator(), false)
                .map(it -> it.path("pointer").stringValue() + " " + it.path("rule").stringValue())
                .toList();
    }
}
