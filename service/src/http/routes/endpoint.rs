//! Endpoints: each address that the service answers, with the right that its callers need.
//!
//! A handler cannot be mounted without [`Needs`]. Rights are checked once the router has chosen an endpoint, by the
//! endpoint and the method, never by the text of the address: the router decodes addresses, and a second parser would
//! read them differently.

use std::rc::Rc;

use actix_web::{
    Error, FromRequest, Handler, HttpMessage, HttpRequest, Resource, Responder, Route,
    body::BoxBody,
    dev::{
        AppService, HttpServiceFactory, Service, ServiceRequest, ServiceResponse, Transform, always_ready,
    },
    guard,
    http::Method,
    web::{self, Data},
};
use futures_util::future::{Either, Ready, ready};

use super::login;
use crate::{
    http::{conditions, quota::Standing, site_origin::Elsewhere, state::State, tokens::Scope},
    pipeline::error::{ApiError, Kind},
};

/// The right that a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// None: the login page, and the operators' probes.
    Nothing,
    /// A token of any scope, where the server has tokens.
    Token,
    /// A token of this scope, where the server has tokens.
    Scope(Scope),
    /// An operator's token, where other machines can reach the operators' address.
    Operator,
}

/// The origin that an endpoint belongs to, where reference sites have one of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The service's.
    Service,
    /// That of the sites.
    Sites,
    /// Either: each origin has cookies of its own, and so a page to log in.
    Both,
}

/// The facts about an endpoint that decide whether a request is admitted, and what it counts on.
#[derive(Debug)]
pub struct Rule {
    /// The pattern of its addresses; empty for an unknown address.
    pub pattern: String,
    /// The origin that it belongs to.
    pub home: Home,
    methods: Vec<(Method, Needs)>,
    /// The index of its family in [`FAMILIES`](super::FAMILIES).
    family: usize,
}

impl Rule {
    fn new(pattern: String, home: Home, methods: Vec<(Method, Needs)>) -> Rc<Rule> {
        let family = super::family_of(&pattern);
        Rc::new(Rule { pattern, home, methods, family })
    }

    /// Returns the right that a method needs; a method that is refused still needs a token.
    #[must_use]
    pub fn needs(&self, method: &Method) -> Needs {
        let declared = self.methods.iter().find(|(it, _)| it == method);
        declared.map_or(Needs::Token, |(_, needs)| *needs)
    }

    /// Returns true if requests count on the quota of a client: all but those for pages.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.pattern.is_empty() || self.pattern.starts_with("/v1/") || self.pattern == "/mcp"
    }

    /// Returns the error for a method that is not declared.
    fn refusal(&self) -> ApiError {
        let allow = self.methods.iter().map(|(method, _)| method.as_str()).collect::<Vec<_>>().join(", ");
        super::refusal(&allow)
    }
}

/// The endpoint that a request was routed to, as the request's extensions hold it.
pub struct RouteMatch {
    rule: Rc<Rule>,
    /// The state of the client's quota, if it has one.
    pub standing: Option<Standing>,
}

/// Returns the pattern of the endpoint that a request was routed to; empty if there is none.
#[must_use]
pub fn pattern(request: &HttpRequest) -> String {
    request.extensions().get::<RouteMatch>().map(|matched| matched.rule.pattern.clone()).unwrap_or_default()
}

/// Returns the family of a request, as an index in [`FAMILIES`](super::FAMILIES).
#[must_use]
pub fn family(request: &HttpRequest) -> usize {
    let family = request.extensions().get::<RouteMatch>().map(|matched| matched.rule.family);
    family.unwrap_or(super::FAMILIES.len() - 1)
}

/// Handlers of one pattern, by method.
pub struct Endpoint {
    pattern: &'static str,
    home: Home,
    methods: Vec<(Method, Needs)>,
    routes: Vec<Route>,
}

impl Endpoint {
    /// Creates an endpoint of the service, without any method yet.
    #[must_use]
    pub fn at(pattern: &'static str) -> Endpoint {
        Endpoint { pattern, home: Home::Service, methods: Vec::new(), routes: Vec::new() }
    }

    /// Moves the endpoint to another origin.
    #[must_use]
    pub fn of(self, home: Home) -> Endpoint {
        Endpoint { home, ..self }
    }

    /// Answers GET, and HEAD with it.
    #[must_use]
    pub fn get<F, Args>(self, needs: Needs, handler: F) -> Endpoint
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.answer(&[Method::GET, Method::HEAD], needs, handler)
    }

    /// Answers HEAD alone.
    #[must_use]
    pub fn head<F, Args>(self, needs: Needs, handler: F) -> Endpoint
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.answer(&[Method::HEAD], needs, handler)
    }

    /// Answers POST.
    #[must_use]
    pub fn post<F, Args>(self, needs: Needs, handler: F) -> Endpoint
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.answer(&[Method::POST], needs, handler)
    }

    /// Answers PUT.
    #[must_use]
    pub fn put<F, Args>(self, needs: Needs, handler: F) -> Endpoint
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.answer(&[Method::PUT], needs, handler)
    }

    fn answer<F, Args>(mut self, methods: &[Method], needs: Needs, handler: F) -> Endpoint
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let accepted = methods.to_vec();
        let is_accepted = guard::fn_guard(move |cx| accepted.contains(&cx.head().method));
        self.methods.extend(methods.iter().map(|method| (method.clone(), needs)));
        self.routes.push(web::route().guard(is_accepted).to(handler));
        self
    }

    /// Builds the resource below a prefix, which refuses methods that are not declared.
    fn resource(
        self,
        prefix: &str,
    ) -> Resource<
        impl actix_web::dev::ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse<BoxBody>,
            Error = Error,
            InitError = (),
        >,
    > {
        let rule = Rule::new(format!("{prefix}{}", self.pattern), self.home, self.methods);
        let refusing = rule.clone();
        let refuse = move || {
            let refusing = refusing.clone();
            async move { Err::<String, _>(refusing.refusal()) }
        };
        let resource = web::resource(self.pattern).default_service(web::route().to(refuse));
        self.routes.into_iter().fold(resource, Resource::route).wrap(Admission(rule))
    }
}

impl HttpServiceFactory for Endpoint {
    fn register(self, config: &mut AppService) {
        self.resource("").register(config);
    }
}

/// Endpoints below a common prefix, which the router finds without trying the patterns of others.
pub struct Below {
    prefix: &'static str,
    endpoints: Vec<Endpoint>,
}

impl Below {
    /// Groups endpoints whose patterns begin after the prefix.
    #[must_use]
    pub fn new(prefix: &'static str, endpoints: Vec<Endpoint>) -> Below {
        Below { prefix, endpoints }
    }
}

impl HttpServiceFactory for Below {
    fn register(self, config: &mut AppService) {
        let scope = web::scope(self.prefix).default_service(nowhere(self.prefix));
        let add = |scope: actix_web::Scope, endpoint: Endpoint| scope.service(endpoint.resource(self.prefix));
        self.endpoints.into_iter().fold(scope, add).register(config);
    }
}

/// One handler for all methods and addresses below a prefix, which distinguishes them itself.
pub struct Whole {
    prefix: &'static str,
    methods: Vec<(Method, Needs)>,
    route: Route,
}

impl Whole {
    /// Creates it from a handler and the rights that methods need.
    #[must_use]
    pub fn new<F, Args>(prefix: &'static str, methods: &[(Method, Needs)], handler: F) -> Whole
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Whole { prefix, methods: methods.to_vec(), route: web::route().to(handler) }
    }
}

impl HttpServiceFactory for Whole {
    fn register(self, config: &mut AppService) {
        let rule = Rule::new(self.prefix.to_owned(), Home::Service, self.methods);
        web::scope(self.prefix).default_service(self.route.wrap(Admission(rule))).register(config);
    }
}

/// Returns the route of unknown addresses below a prefix. They need a token as others do.
pub(super) fn nowhere(prefix: &str) -> Route {
    let rule = Rule::new(prefix.to_owned(), Home::Service, Vec::new());
    web::route().to(|| async { Err::<String, _>(super::nowhere_error()) }).wrap(Admission(rule))
}

/// The middleware that admits requests to one endpoint.
struct Admission(Rc<Rule>);

impl<S> Transform<S, ServiceRequest> for Admission
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type InitError = ();
    type Transform = Admitted<S>;
    type Future = Ready<Result<Self::Transform, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        ready(Ok(Admitted { rule: self.0.clone(), service }))
    }
}

/// A service wrapped in an [`Admission`].
struct Admitted<S> {
    rule: Rc<Rule>,
    service: S,
}

impl<S> Service<ServiceRequest> for Admitted<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = Either<S::Future, Ready<Result<Self::Response, Error>>>;

    always_ready!();

    fn call(&self, request: ServiceRequest) -> Self::Future {
        let Some(state) = request.app_data::<Data<State>>().cloned() else {
            let error = ApiError::new(Kind::INTERNAL, "the application has no state");
            return Either::Right(ready(Ok(request.error_response(error))));
        };
        let (standing, refusal) = state.access.admit(&request, &self.rule);
        request.extensions_mut().insert(RouteMatch { rule: self.rule.clone(), standing });
        let refusal = refusal.or_else(|| too_long(&request, state.limits.address_bytes));
        if let Some(refusal) = refusal.or_else(|| conditions::check_post(request.request()).err()) {
            return Either::Right(ready(Ok(login::refuse(request, refusal))));
        }
        match state.site_origin.as_ref().and_then(|origin| origin.elsewhere(&request, self.rule.home)) {
            None => Either::Left(self.service.call(request)),
            Some(Elsewhere::Nowhere) => {
                Either::Right(ready(Ok(request.error_response(super::nowhere_error()))))
            }
            Some(Elsewhere::At(address)) => {
                Either::Right(ready(Ok(request.into_response(super::moved(&address)))))
            }
        }
    }
}

/// Returns the error for an address that is too long, if it is.
fn too_long(request: &ServiceRequest, most: usize) -> Option<ApiError> {
    let seen = request.uri().path_and_query().map_or(0, |address| address.as_str().len());
    (seen > most)
        .then(|| ApiError::of_limit(Kind::ADDRESS_TOO_LONG, "address_bytes", most as u64, seen as u64))
}
