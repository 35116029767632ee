package dev.equipoise.app.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.util.DigestUtils;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistration;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;
import org.springframework.web.servlet.resource.PathResourceResolver;

/**
 * Serves the dashboard with its cache rules: browsers cache an asset forever, since its name
 * changes with its content, and ask each time whether another file has changed.
 */
@Configuration(proxyBeanMethods = false)
class DashboardConfiguration implements WebMvcConfigurer {

    private static final String FILES = "classpath:/META-INF/resources/";

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        files(registry, "/assets/**", FILES + "assets/")
                .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).immutable())
                .resourceChain(false)
                .addResolver(compressed())
                .addResolver(new PathResourceResolver());
        // Results are not cached by path, since clients can invent paths.
        files(registry, "/**", FILES)
                .setCacheControl(CacheControl.noCache())
                // The build gives all files the same time, so it does not tell a changed file.
                .setUseLastModified(false)
                .setEtagGenerator(DashboardConfiguration::etag)
                .resourceChain(false)
                .addResolver(new PageResolver())
                .addTransformer(new PageTransformer());
    }

    private static ResourceHandlerRegistration files(
            ResourceHandlerRegistry registry, String pattern, String folder) {
        return registry.addResourceHandler(pattern).addResourceLocations(folder);
    }

    private static String etag(Resource file) {
        try (InputStream content = file.getInputStream()) {
            return "\"%s\"".formatted(DigestUtils.md5DigestAsHex(content));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Serves gzip only, since browsers accept no better coding without HTTPS. */
    private static EncodedResourceResolver compressed() {
        var resolver = new EncodedResourceResolver();
        resolver.setContentCodings(List.of("gzip"));
        return resolver;
    }
}
