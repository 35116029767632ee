package dev.equipoise.app.observability;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Destination of traces, under Spring Boot's property names.
 *
 * @param endpoint for example {@code http://collector:4318/v1/traces}; empty to disable traces
 * @param headers headers of each export, which may be secrets
 */
@ConfigurationProperties("management.opentelemetry.tracing.export.otlp")
record TraceSettings(@DefaultValue("") String endpoint, @DefaultValue Map<String, String> headers) {

    TraceSettings {
        headers = Map.copyOf(headers);
    }

    /** Omits the headers, which must not reach a log. */
    @Override
    public String toString() {
        return "TraceSettings[endpoint=%s]".formatted(endpoint);
    }
}
