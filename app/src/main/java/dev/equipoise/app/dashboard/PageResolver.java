package dev.equipoise.app.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.resource.PathResourceResolver;
import org.springframework.web.servlet.resource.ResourceResolverChain;

/**
 * Resolves a file of the dashboard. If there is no such file and a browser asks for a page,
 * resolves to the single page, whose script handles addresses such as {@code /runs/17}. Other
 * requests, and paths below {@code /api} and {@code /actuator}, are not found.
 */
class PageResolver extends PathResourceResolver {

    static final String PAGE = "index.html";

    @Override
    protected @Nullable Resource resolveResourceInternal(
            @Nullable HttpServletRequest request,
            String path,
            List<? extends Resource> locations,
            ResourceResolverChain chain) {
        Resource file = super.resolveResourceInternal(request, path, locations, chain);
        return file == null && request != null && isPage(request, path)
                ? super.resolveResourceInternal(request, PAGE, locations, chain)
                : file;
    }

    private static boolean isPage(HttpServletRequest request, String path) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        return accepted != null
                && accepted.contains(MediaType.TEXT_HTML_VALUE)
                && !(path + "/").startsWith("api/")
                && !(path + "/").startsWith("actuator/");
    }
}
