import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { NotFoundPage } from './pages/not-found.tsx';
import { LoadingPage } from './parts/mark.tsx';

const root = createRootRoute({ notFoundComponent: NotFoundPage });
const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });

const routes = [
  at(
    '/sign-in',
    lazyRouteComponent(() => import('./pages/sign-in.tsx'), 'SignInPage'),
  ),
  at(
    '/register',
    lazyRouteComponent(() => import('./pages/register.tsx'), 'RegisterPage'),
  ),
  at(
    '/recover',
    lazyRouteComponent(() => import('./pages/recover.tsx'), 'RecoverPage'),
  ),
  at(
    '/me/approvals',
    lazyRouteComponent(() => import('./pages/approvals.tsx'), 'ApprovalsPage'),
  ),
  createRoute({
    getParentRoute: () => root,
    path: '/me',
    beforeLoad() {
      throw redirect({ to: '/me/approvals' as never });
    },
  }),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingPage,
});
