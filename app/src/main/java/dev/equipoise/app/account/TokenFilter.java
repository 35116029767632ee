package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Reads the bearer token, or where there is none a browser's session, and puts the caller into the
 * security context, or answers 401.
 */
class TokenFilter extends OncePerRequestFilter {

    private static final String BEARER = "Bearer ";
    private static final int MAX_TOKEN_LENGTH = 100;

    private final Tokens tokens;
    private final ProblemWriter problems;

    TokenFilter(Tokens tokens, ProblemWriter problems) {
        this.tokens = tokens;
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header != null) {
            goBy(
                    bearer(header).filter(it -> !TokenKind.SESSION.isOf(it)),
                    request,
                    response,
                    chain);
        } else if (SessionCookie.of(request).isPresent() && !SessionCookie.isSigningIn(request)) {
            goBy(
                    SessionCookie.of(request).filter(TokenKind.SESSION::isOf),
                    request,
                    response,
                    chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void goBy(
            Optional<String> text,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        Optional<String> possible = text.filter(it -> it.length() <= MAX_TOKEN_LENGTH);
        Optional<Caller> caller = possible.flatMap(tokens::authenticate);
        if (caller.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            problems.write(
                    request, response, ErrorCode.UNAUTHENTICATED, "The token is not known here");
            return;
        }
        SecurityContextHolder.getContext()
                .setAuthentication(authentication(caller.get(), possible.get()));
        chain.doFilter(request, response);
    }

    /** A request that waits is dispatched again by the container and must be known then as well. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    private static Optional<String> bearer(String header) {
        return Optional.of(header)
                .filter(it -> it.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(it -> it.substring(BEARER.length()).strip());
    }

    private static UsernamePasswordAuthenticationToken authentication(Caller caller, String text) {
        String[] roles =
                switch (caller) {
                    case Caller.User user ->
                            user.isAdministrator()
                                    ? new String[] {"ROLE_ADMINISTRATOR", "ROLE_USER"}
                                    : new String[] {"ROLE_USER"};
                    case Caller.Newcomer _ -> new String[] {"ROLE_NEWCOMER"};
                    case Caller.Agent _ -> new String[] {"ROLE_AGENT"};
                };
        return UsernamePasswordAuthenticationToken.authenticated(
                caller, text, AuthorityUtils.createAuthorityList(roles));
    }
}
