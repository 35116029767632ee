package dev.equipoise.app.telemetry;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where traces go, under the names by which Spring Boot knows it.
 *
 * @param endpoint for example {@code http://collector:4318/v1/traces}; empty for nowhere
 * @param headers that go with them, which may be secrets
 */
@ConfigurationProperties("management.opentelemetry.tracing.export.otlp")
record TraceSettings(@DefaultValue("") String endpoint, @DefaultValue Map<String, String> headers) {

    TraceSettings {
        headers = Map.copyOf(headers);
    }

    /** Without the headers, which must not reach a log. */
    @Override
    public String toString() {
        return "TraceSettings[endpoint=%s]".formatted(endpoint);
    }
}
