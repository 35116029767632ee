package dev.equipoise.app.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

    @Override
    public Resource transform(
            HttpServletRequest request, Resource resource, ResourceTransformerChain chain)
            throws IOException {
        Resource file = chain.transform(request, resource);
        return PageResolver.PAGE.equals(file.getFilename()) ? rooted(file, request) : file;
    }

    private static Resource rooted(Resource page, HttpServletRequest request) throws IOException {
        String root = "=\"" + request.getServletContext().getContextPath() + "/";
        String text = page.getContentAsString(StandardCharsets.UTF_8).replace(RELATIVE, root);
        return new TransformedResource(page, text.getBytes(StandardCharsets.UTF_8));
    }
}
