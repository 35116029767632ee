package dev.equipoise.app.dashboard;

import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistration;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;
import org.springframework.web.servlet.resource.PathResourceResolver;

/**
 * What a browser keeps: an asset for good, as its name changes with its content; a page not
 * unasked.
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
        // Not kept in memory by path: anybody can make up paths.
        files(registry, "/**", FILES)
                .setCacheControl(CacheControl.noCache())
                .resourceChain(false)
                .addResolver(compressed())
                .addResolver(new PageResolver());
    }

    private static ResourceHandlerRegistration files(
            ResourceHandlerRegistry registry, String pattern, String folder) {
        return registry.addResourceHandler(pattern).addResourceLocations(folder);
    }

    /** Browsers take no other coding of a service that they do not reach by HTTPS. */
    private static EncodedResourceResolver compressed() {
        var resolver = new EncodedResourceResolver();
        resolver.setContentCodings(List.of("gzip"));
        return resolver;
    }
}
