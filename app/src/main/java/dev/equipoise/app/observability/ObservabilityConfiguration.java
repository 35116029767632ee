package dev.equipoise.app.observability;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TraceSettings.class)
class ObservabilityConfiguration {

    /** Creates no OpenTelemetry objects without a collector. */
    @Bean
    RunTraces runTraces(TraceSettings settings) {
        return new RunTraces(settings.endpoint().isBlank() ? null : collector(settings));
    }

    private static SpanExporter collector(TraceSettings settings) {
        OtlpHttpSpanExporterBuilder collector =
                OtlpHttpSpanExporter.builder().setEndpoint(settings.endpoint());
        settings.headers().forEach(collector::addHeader);
        return collector.build();
    }
}
