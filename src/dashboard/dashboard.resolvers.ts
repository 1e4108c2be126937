import { fromAspect } from '../entity/aspect-field.ts';
import { customPropertiesField } from '../entity/custom-properties.ts';
import { requestedEntityOf } from '../entity/graphql-types.ts';
import type { EntityValue } from '../entity/graphql-types.ts';
import { textIn } from '../entity/stored-member.ts';
import type { Resolvers } from '../graphql/resolver.ts';
import {
  chartInputs,
  chartProperties,
  chartQuery,
  dashboardCharts,
  dashboardProperties,
  inputFields,
  reportKey,
} from './report-properties.ts';

const editableDashboard = fromAspect('editableDashboardProperties', (body) => ({
  description: textIn(body, 'description'),
}));
const editableChart = fromAspect('editableChartProperties', (body) => ({
  description: textIn(body, 'description'),
}));
const columns = fromAspect('inputFields', inputFields);
const tool = ({ urn }: EntityValue): string => reportKey(urn).tool;
const id = ({ urn }: EntityValue): string => reportKey(urn).id;

export const dashboardResolvers: Resolvers = {
  Query: {
    dashboard: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'dashboard'),
    chart: (_source, { urn }: { readonly urn: string }) => requestedEntityOf(urn, 'chart'),
  },
  Dashboard: {
    tool,
    dashboardId: id,
    properties: fromAspect('dashboardInfo', dashboardProperties),
    info: fromAspect('dashboardInfo', (body, urn) => ({
      ...dashboardProperties(body, urn),
      charts: dashboardCharts(body),
    })),
    editableProperties: editableDashboard,
    editableInfo: editableDashboard,
    inputFields: columns,
  },
  DashboardProperties: { customProperties: customPropertiesField },
  DashboardInfo: { customProperties: customPropertiesField },
  Chart: {
    tool,
    chartId: id,
    properties: fromAspect('chartInfo', chartProperties),
    info: fromAspect('chartInfo', (body, urn) => ({
      ...chartProperties(body, urn),
      inputs: chartInputs(body),
    })),
    editableProperties: editableChart,
    editableInfo: editableChart,
    query: fromAspect('chartQuery', chartQuery),
    inputFields: columns,
  },
  ChartProperties: { customProperties: customPropertiesField },
  ChartInfo: { customProperties: customPropertiesField },
};
