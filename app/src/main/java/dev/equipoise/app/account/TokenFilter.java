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
 * Authenticates requests: puts the caller of the bearer token, or else of the session cookie, into
 * the security context, or answers 401.
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
            authenticate(
                    bearer(header).filter(it -> !TokenKind.SESSION.isOf(it)),
                    request,
                    response,
                    chain);
        } else if (SessionCookie.of(request).isPresent() && !SessionCookie.isSigningIn(request)) {
            authenticate(
                    SessionCookie.of(request).filter(TokenKind.SESSION::isOf),
                    request,
                    response,
                    chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void authenticate(
            Optional<String> credential,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws ServletException, IOException {
        Optional<String> plausible = credential.filter(it -> it.length() <= MAX_TOKEN_LENGTH);
        Optional<Caller> caller = plausible.flatMap(tokens::authenticate);
        if (caller.isEmpty()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            problems.write(
                    request,
                    response,
                    ErrorCode.UNAUTHENTICATED,
                    "The token is invalid or has expired");
            return;
        }
        SecurityContextHolder.getContext()
                .setAuthentication(authentication(caller.get(), plausible.get()));
        chain.doFilter(request, response);
    }

    /** Also authenticates the second dispatch of an asynchronous request by the container. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    private static Optional<String> bearer(String header) {
        return Optional.of(header)
                .filter(it -> it.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(it -> it.substring(BEARER.length()).strip());
    }

    private static UsernamePasswordAuthenticationToken authentication(
            Caller caller, String credential) {
        String[] roles =
                switch (caller) {
                    case Caller.User user ->
                            user.isAdministrator()
                                    ? new String[] {"ROLE_ADMINISTRATOR", "ROLE_USER"}
                                    : new String[] {"ROLE_USER"};
                    case Caller.Newcomer _ -> new String[] {"ROLE_NEWCOMER"};
                    case Caller.Agent _ -> new String[] {"ROLE_AGENT"};
                    case Caller.DepartedAgent _ -> new String[] {"ROLE_DEPARTED_AGENT"};
                };
        return UsernamePasswordAuthenticationToken.authenticated(
                caller, credential, AuthorityUtils.createAuthorityList(roles));
    }
}
