package dev.equipoise.app.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.resource.ResourceTransformer;
import org.springframework.web.servlet.resource.ResourceTransformerChain;
import org.springframework.web.servlet.resource.TransformedResource;

/**
 * Puts the context path of the service in front of the addresses in the page. The build leaves them
 * relative, and the page is served at addresses of any depth. The policy of the page forbids a
 * {@code base} element, which would do the same.
 */
class PageTransformer implements ResourceTransformer {

    private static final String RELATIVE = "=\"./";

    /** The page, which stays the same while the service runs; null before its first request. */
    private volatile @Nullable Resource page;

    @Override
    public Resource transform(
            HttpServletRequest request, Resource resource, ResourceTransformerChain chain)
            throws IOException {
        Resource file = chain.transform(request, resource);
        if (!PageResolver.PAGE.equals(file.getFilename())) {
            return file;
        }
        Resource known = page;
        if (known == null) {
            known = withContextPath(file, request.getServletContext().getContextPath());
            page = known;
        }
        return known;
    }

    private static Resource withContextPath(Resource page, String path) throws IOException {
        String text =
                page.getContentAsString(StandardCharsets.UTF_8)
                        .replace(RELATIVE, "=\"" + path + "/");
        return new TransformedResource(page, text.getBytes(StandardCharsets.UTF_8));
    }
}
