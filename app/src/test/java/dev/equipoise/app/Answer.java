package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.JsonNode;

/** A response of the service. */
public record Answer(int status, HttpHeaders headers, JsonNode body) {

    /** Returns the body of a response that must have the status. */
    public JsonNode expect(int expected) {
        assertThat(status).as("%s", body).isEqualTo(expected);
        return body;
    }

    /** Returns the body, which must be a problem with the status and the code. */
    public JsonNode problem(int expected, String code) {
        expect(expected);
        assertThat(headers.getContentType()).hasToString("application/problem+json");
        assertThat(body.path("code").stringValue()).isEqualTo(code);
        assertThat(body.path("type").stringValue()).isEqualTo("urn:equipoise:problem:" + code);
        assertThat(body.path("status").intValue()).isEqualTo(expected);
        assertThat(body.path("title").stringValue()).isNotBlank();
        assertThat(body.path("detail").stringValue()).isNotBlank();
        assertThat(body.path("instance").stringValue()).startsWith("/");
        return body;
    }

    /** Returns the broken rules of a problem, each as "pointer rule". */
    public List<String> violations() {
        return StreamSupport.stream(body.path("errors").spliterator(), false)
                .map(it -> it.path("pointer").stringValue() + " " + it.path("rule").stringValue())
                .toList();
    }
}
